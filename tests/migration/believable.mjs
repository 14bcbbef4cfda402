// A migration with believable figures for README's pictures: twelve suppliers; some import, and some need an operator.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { CTL, DATABASE_URL } = process.env;
const directory = mkdtempSync(join(tmpdir(), 'believable-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

const run = (program, words, more = {}) =>
    execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...more });
export const ctl = (...words) => {
    const [program, ...first] = CTL.split(' ');
    return run(program, [...first, ...words], { env: { ...process.env, SUDO_USER: 'anna' } });
};
const psql = (sql) =>
    run('psql', ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', `--command=${sql}`, DATABASE_URL]);

/** Code, name, accounts by state, minutes since the last import, records in a minute at the busiest time. */
const suppliers = [
    ['NORDWIND', 'Nordwind Energie GmbH', { imported: 121_480, staged: 61_950, in_progress: 27 }, 0, 5200],
    ['SEEWIND', 'Seewind Strom AG', { imported: 41_212, staged: 1472, in_progress: 0 }, 16, 2400],
    ['HAFENGAS', 'Hafengas Nord GmbH', { imported: 23_904, staged: 8014, in_progress: 12 }, 0, 1500],
    ['BERGKRAFT', 'Bergkraft Energie eG', { imported: 9020, staged: 12_250, in_progress: 0 }, 7, 900],
    ['TALWERKE', 'Talwerke Versorgung', { imported: 64_300, staged: 0, in_progress: 0 }, 140, 2100],
    ['BIRKENAU', 'Stadtwerke Birkenau', { imported: 18_760, staged: 29_240, in_progress: 21 }, 0, 1900],
    ['QUELLSTROM', 'Quellstrom AG', { imported: 7330, staged: 40_210, in_progress: 18 }, 0, 1100],
    ['LINDENTAL', 'Lindental Netz und Vertrieb', { imported: 88_012, staged: 0, in_progress: 0 }, 2900, 3000],
    ['FAEHRHAUS', 'Fährhaus Strom', { imported: 0, staged: 15_400, in_progress: 0 }, null, 0],
    ['OSTSTERN', 'Oststern Energie', { imported: 31_870, staged: 2210, in_progress: 9 }, 1, 1300],
    ['ROTDORN', 'Rotdorn Gasversorgung', { imported: 5120, staged: 17_700, in_progress: 8 }, 2, 700],
    ['WESTERLAND', 'Gemeindewerke Westersiel', { imported: 12_690, staged: 3300, in_progress: 6 }, 1, 800],
];

const shares = [
    ['notes', 0.22],
    ['transactions', 0.41],
    ['historical_statements', 0.17],
    ['delivery_notes', 0.08],
    ['market_participant_invoices', 0.12],
    ['account_imported', 0.011],
];

/** Stores the rates of a day of imports that ended `ago` minutes ago, as housekeeping would have summed them up. */
function past(code, ago, records, imported) {
    const kinds = shares.map(([kind, share]) => `('${kind}', ${share})`).join();
    const height = `(${records} * share * (0.72 + 0.2 * sin(extract(epoch FROM at) / 5200.0 + ${code.length})
                    + 0.12 * sin(extract(epoch FROM at) / 410.0) + 0.05 * random()))`;
    psql(`INSERT INTO data_import.import_rate (import_supplier, kind, seconds, began_at, records)
          SELECT '${code}', kind, 60, at, greatest(1, ${height}::bigint)
          FROM generate_series(date_trunc('minute', now() - interval '24 hours'),
                               date_trunc('minute', now() - interval '${Math.max(ago, 4)} minutes'), interval '1 minute') AS at,
               (VALUES ${kinds}) AS kinds (kind, share) ON CONFLICT DO NOTHING;
          INSERT INTO data_import.import_total (import_supplier, kind, figure, value, last_at)
          SELECT '${code}', kind, 'records', CASE kind WHEN 'account_imported' THEN ${imported}
                 ELSE (${imported} * 31 * share)::bigint END, now() - interval '${ago} minutes' - interval '4 seconds'
          FROM (VALUES ${kinds}) AS kinds (kind, share);
          INSERT INTO data_import.import_total (import_supplier, kind, figure, value, last_at)
          SELECT '${code}', kind, figure, round(${imported} * each, 2), now() - interval '${ago} minutes'
          FROM (VALUES ('transactions', 'amount:CHARGE', 412.37), ('transactions', 'amount:PAYMENT', 398.2),
                       ('historical_statements', 'gross_amount', 1381.09)) AS sums (kind, figure, each)`);
}

/** Continues the imports of the suppliers that import at present. */
export function goOn() {
    for (const [code, , , ago, records] of suppliers.filter((one) => one[3] !== null && one[3] < 5)) {
        const kinds = shares.map(([kind, share]) => `('${kind}', ${share})`).join();
        psql(`INSERT INTO data_import.import_rate (import_supplier, kind, seconds, began_at, records)
              SELECT code, kind, 5, at, greatest(1, floor(${records} * share * (0.05 + 0.015 * random()) + random()))
              FROM (SELECT import_supplier AS code, max(began_at + seconds * interval '1 second') AS known
                    FROM data_import.import_rate WHERE import_supplier = '${code}' GROUP BY 1) AS rates,
                   generate_series(known, now(), interval '5 seconds') AS at, (VALUES ${kinds}) AS kinds (kind, share);
              UPDATE data_import.import_total SET last_at = now() - interval '${ago} minutes' - interval '3 seconds'
              WHERE import_supplier = '${code}' AND kind NOT IN ('account_staged', 'account_in_progress')`);
    }
}

function total(code, kind, value) {
    psql(`INSERT INTO data_import.import_total (import_supplier, kind, figure, value, last_at)
          VALUES ('${code}', '${kind}', 'records', ${value}, now() - interval '3 days')`);
}

function load(code, numbers, state) {
    const file = join(directory, 'accounts.csv');
    writeFileSync(
        file,
        `external_account_number,state,service_account_number,account_created_at,statement_from,statement_to\n${numbers
            .map((number) => `${number},${state},,,,\n`)
            .join('')}`,
    );
    ctl('account', 'load', code, file);
}

const numbersOf = (prefix, count) => Array.from({ length: count }, (_, place) => `${prefix}${40_000_031 + 97 * place}`);

function failures(code, prefix, reasons) {
    const rows = reasons.flatMap(([reason, count]) => Array.from({ length: count }, (_, place) => reason(place)));
    const numbers = numbersOf(prefix, rows.length);
    load(code, numbers, 'staged');
    const literal = rows.map((reason, place) => `('${numbers[place]}', '${reason}')`).join();
    psql(`SELECT data_import.account_begin('${code}', number) FROM (VALUES ${literal}) AS failed (number, reason);
          SELECT data_import.account_fail('${code}', number, reason) FROM (VALUES ${literal}) AS failed (number, reason)`);
}

function refusals(code, kinds) {
    for (const [endpoint, status, answer, item, attr, count] of kinds) {
        const name = item || answer;
        psql(`INSERT INTO data_import.refused_request
              VALUES ((now() AT TIME ZONE 'UTC')::date, '${code}', '/v1/data-import/${endpoint}/create/', ${status}, '${answer}',
                      '${item}', '${attr}', ${count}, gen_random_uuid(), now() - interval '${count % 7} minutes');
              INSERT INTO data_import.refusal_rate (import_supplier, code, seconds, began_at, refusals)
              SELECT '${code}', '${name}', 60, at, refusals
              FROM generate_series(date_trunc('minute', now() - interval '58 minutes'),
                                   date_trunc('minute', now() - interval '1 minute'), interval '1 minute') AS at,
                   LATERAL (SELECT floor(random() * ${count} / 20.0 * (1 + sin(extract(epoch FROM at) / 500.0 + ${count})) + random() * 0.6)
                            AS refusals) AS counted
              WHERE refusals > 0 ON CONFLICT DO NOTHING`);
    }
}

/** Declares `accounts` accounts, and of each kind of records `times` the number that is stored. */
const declare = (code, accounts, times) =>
    psql(`INSERT INTO data_import.control_total_declaration (import_supplier, number, kind, figure, value, request_id, api_key_id)
          SELECT '${code}', 1, ARRAY['accounts'] || array_agg(kind), ARRAY['accounts'] || array_agg(figure),
                 ARRAY[${accounts}] || array_agg(round(value * ${times}, CASE figure WHEN 'records' THEN 0 ELSE 2 END)),
                 gen_random_uuid(), 1
          FROM data_import.import_total WHERE import_supplier = '${code}' AND kind NOT LIKE 'account%'`);

export function stageBelievable() {
    for (const [code, name, accounts, ago, records] of suppliers) {
        ctl('supplier', 'create', code, '--name', name);
        if (ago !== null) past(code, ago, records, accounts.imported);
        for (const state of ['staged', 'in_progress'])
            if (accounts[state] > 0) total(code, `account_${state}`, accounts[state]);
    }
    failures('SEEWIND', 'SW', [
        [(place) => `meter unknown: 1EMH${String(40 + 7 * place).padStart(4, '0')}`, 15],
        [(place) => `address not found in street register: ${1200 + 11 * place}`, 9],
        [() => 'no open contract', 3],
        [() => 'two customers with this number', 1],
    ]);
    failures('NORDWIND', 'NW-', [
        [(place) => `tariff ${310 + place} is not offered on the day of the move`, 7],
        [(place) => `meter unknown: 1EMH${7100 + 13 * place}`, 4],
        [() => 'no open contract', 2],
    ]);
    load('NORDWIND', numbersOf('NW-7', 9), 'in_progress');
    refusals('NORDWIND', [
        ['transactions', 400, 'validation_error', 'max_decimal_places', 'transactions.N.amount', 22],
        ['notes', 400, 'validation_error', 'invalid', 'notes.N.created_at', 15],
        ['historical-statements', 404, 'account_not_found', '', '', 6],
        ['notes', 400, 'validation_error', 'max_length', 'notes.N.body', 3],
    ]);
    refusals('HAFENGAS', [
        ['notes', 400, 'validation_error', 'invalid', 'notes.N.created_at', 34],
        ['transactions', 400, 'validation_error', 'max_decimal_places', 'transactions.N.amount', 19],
        ['transactions', 404, 'account_not_found', '', '', 11],
        ['historical-statements', 409, 'conflict', '', '', 4],
        ['notes', 400, 'validation_error', 'max_length', 'notes.N.body', 3],
        ['delivery-notes', 400, 'validation_error', 'required', 'delivery_note.reference', 2],
        ['transactions', 400, 'validation_error', 'unknown_field', 'transactions.N', 1],
    ]);
    declare('NORDWIND', 183_466, 1.51);
    declare('TALWERKE', 64_300, 1);
    declare('LINDENTAL', 88_012, 1);
    ctl('supplier', 'set', 'BERGKRAFT', '--status', 'Paused');
}
