// Makes the data that the page under test shows: two suppliers, accounts in every state, records, refusals, and imports of the
// past weeks.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { BASE_URL, CTL, LOAD, DATABASE_URL } = process.env;
const directory = mkdtempSync(join(tmpdir(), 'migration-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true })); // the directory holds an API key

const run = (line, ...more) => {
    const [program, ...first] = line.split(' ');
    return execFileSync(program, [...first, ...more], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
};
export const ctl = (...words) => run(CTL, ...words);
export const psql = (sql) =>
    run(
        'psql',
        '--no-psqlrc',
        '--quiet',
        '--tuples-only',
        '--no-align',
        '--set=ON_ERROR_STOP=1',
        `--command=${sql}`,
        DATABASE_URL,
    );

const file = (name, text) => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
};

const number = (place) => `4711-${String(place).padStart(4, '0')}`;

function body(code, place, more) {
    return { import_supplier: code, external_account_number: number(place), ...more };
}

/** The imported account that has no notes. */
const silent = 5;
/** The account with a transaction from before its open statement: the service moves the transaction, and pins a note. */
const moved = 7;
/** Accounts whose difference from the declaration is explained: one has a charge too many, one has a statement too few. */
const explained = { charge: 17, statement: 33 };

function lines(code, imported, unknown) {
    const all = [];
    const add = (path, one) => all.push(JSON.stringify({ path: `/v1/data-import/${path}/create/`, body: one }));
    for (let place = 0; place < imported; place += 1) {
        if (place !== silent) add(
            'notes',
            body(code, place, {
                notes: [{ body: `Moved in, meter read: ${1000 + place}` }, { body: 'Prefers letters' }],
            }),
        );
        add(
            'transactions',
            body(code, place, {
                transactions: [
                    {
                        type: 'CHARGE',
                        transaction_id: `c-${place}`,
                        transaction_date: place === moved ? '2024-04-30' : '2024-05-02',
                        amount: '12.50',
                        reason: 'GENERAL_CHARGE',
                    },
                    {
                        type: 'PAYMENT',
                        transaction_id: `p-${place}`,
                        transaction_date: '2024-05-03',
                        amount: '40.00',
                        reference: 'ref',
                    },
                ],
            }),
        );
        if (place % 2 === 0) {
            add(
                'historical-statements',
                body(code, place, {
                    statements: [
                        {
                            statement_id: `s-${place}`,
                            bill_period_from_date: '2023-01-01',
                            bill_period_to_date: '2023-12-31',
                            gross_amount: '812.34',
                        },
                    ],
                }),
            );
        }
    }
    // refused: a wrong type, an amount with too many digits, an account that is not imported
    for (let place = 0; place < 12; place += 1) {
        add('notes', body(code, place, { notes: [{ body: 'x', is_pinned: 'yes' }] }));
        if (place < 5)
            add(
                'transactions',
                body(code, place, {
                    transactions: [
                        {
                            type: 'CHARGE',
                            transaction_id: `x-${place}`,
                            transaction_date: '2024-05-02',
                            amount: '12.505',
                            reason: 'GENERAL_CHARGE',
                        },
                    ],
                }),
            );
        if (place < 3) add('notes', body(code, imported + place, { notes: [{ body: 'x' }] }));
    }
    // refused: an account that nobody has staged
    for (const text of ['one', 'two'])
        add('notes', { import_supplier: code, external_account_number: unknown, notes: [{ body: text }] });
    return `${all.join('\n')}\n`;
}

function accounts(states) {
    const rows = Object.entries(states).flatMap(([state, count]) => Array(count).fill(state));
    const row = (state, place) => `${number(place)},${state},,,${state === 'imported' ? '2024-05-01,2024-05-31' : ','}`;
    return (
        [
            'external_account_number,state,service_account_number,account_created_at,statement_from,statement_to',
            ...rows.map(row),
        ].join('\n') + '\n'
    );
}

// SQL that inserts rates as housekeeping stores them: imports of three weeks by the hour, from 6 to 21 o'clock, imports of
// the last day by the minute, and refusals of the last 50 minutes.
const past = (code) => `
    INSERT INTO data_import.import_rate (import_supplier, kind, seconds, began_at, records)
    SELECT '${code}', kind, 60, at, greatest(0, (share * (900 + 700 * sin(extract(epoch FROM at) / 9000.0) + 200 * sin(extract(epoch FROM at) / 700.0)))::bigint)
    FROM generate_series(date_trunc('minute', now() - interval '24 hours'), date_trunc('minute', now() - interval '3 minutes'), interval '1 minute') AS at,
         (VALUES ('notes', 1.0), ('transactions', 1.6), ('energy_amounts', 0.7), ('delivery_notes', 0.35),
                 ('historical_statements', 0.2), ('account_imported', 0.09)) AS kinds (kind, share)
    WHERE extract(epoch FROM at)::bigint % 3600 > 300
    ON CONFLICT DO NOTHING;
    INSERT INTO data_import.import_rate (import_supplier, kind, seconds, began_at, records)
    SELECT '${code}', kind, 3600, at, (share * 60 * (700 + 500 * sin(extract(epoch FROM at) / 30000.0)))::bigint
    FROM generate_series(date_trunc('hour', now() - interval '21 days'), date_trunc('hour', now() - interval '26 hours'), interval '1 hour') AS at,
         (VALUES ('notes', 1.0), ('transactions', 1.6), ('energy_amounts', 0.7), ('account_imported', 0.09)) AS kinds (kind, share)
    WHERE extract(hour FROM at) BETWEEN 6 AND 21
    ON CONFLICT DO NOTHING;
    INSERT INTO data_import.refusal_rate (import_supplier, code, seconds, began_at, refusals)
    SELECT '${code}', code, 60, at, greatest(1, (share * (1 + sin(extract(epoch FROM at) / 900.0)))::bigint)
    FROM generate_series(date_trunc('minute', now() - interval '50 minutes'), date_trunc('minute', now() - interval '3 minutes'), interval '1 minute') AS at,
         (VALUES ('invalid', 6.0), ('max_decimal_places', 3.0), ('account_not_found', 1.0)) AS codes (code, share)
    ON CONFLICT DO NOTHING;`;

/** Declares, as the supplier, one charge less than is stored, one statement more, and no notes. */
async function declare(code, token, imported) {
    const sums = { 'amount:CHARGE': ((imported - 1) * 12.5).toFixed(2), 'amount:PAYMENT': (imported * 40).toFixed(2) };
    const kinds = {
        transactions: { records: 2 * imported - 1, sums },
        historical_statements: { records: imported / 2 + 1 },
    };
    const answer = await fetch(`${BASE_URL}/v1/data-import/control-totals/${code}/`, {
        method: 'PUT',
        headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ accounts: 192, kinds }),
    });
    if (!answer.ok) throw new Error(`the declaration was answered ${answer.status}: ${await answer.text()}`);
}

/** Reconciles with the supplier's own file of totals, and explains the differences. */
function explain(code, imported) {
    const totals = ['external_account_number,kind,records,amount'];
    for (let place = 0; place < imported; place += 1) {
        const isCharged = place === explained.charge;
        if (place !== silent) totals.push(`${number(place)},notes,2,`);
        totals.push(`${number(place)},transactions,${isCharged ? 1 : 2},${isCharged ? '40.00' : '52.50'}`);
        if (place % 2 === 0 || place === explained.statement)
            totals.push(`${number(place)},historical_statements,1,812.34`);
    }
    const reasons = [
        'external_account_number,kind,reason',
        `${number(explained.charge)},transactions,"The charge of May was booked twice, as is known."`,
        `${number(explained.statement)},historical_statements,The letter of 2023 is lost.`,
    ];
    const files = [file('totals.csv', `${totals.join('\n')}\n`), file('reasons.csv', `${reasons.join('\n')}\n`)];
    ctl('reconcile', code, files[0], '--accept', files[1]);
}

/** Runs the doctor and ignores its exit status 1, since a stack for tests has findings. */
function callDoctor() {
    try {
        ctl('doctor');
    } catch (failure) {
        if (failure.status !== 1) throw failure;
    }
}

/** Sets the age of an account's running attempt. Housekeeping must have found the attempt in the events before. */
async function beginEarlier(code, account, age) {
    const sql = `UPDATE data_import.open_account SET since = now() - interval '${age}'
                 WHERE import_supplier = '${code}' AND external_account_number = '${account}' RETURNING since`;
    const began = Date.now();
    while (psql(sql).trim() === '') {
        if (Date.now() - began > 60_000) throw new Error(`housekeeping did not come to account ${account}`);
        await new Promise((done) => setTimeout(done, 200));
    }
}

/** Makes two suppliers, `code` with all kinds of data and `other` with little, an API key for `code`, and one for both. */
export async function prepare() {
    const code = `PAGE-${process.pid}`;
    const other = `OTHER-${process.pid}`;
    ctl('supplier', 'create', code, '--name', 'Nordwind Energie GmbH');
    ctl('supplier', 'create', other, '--name', 'Stadtwerke Musterstadt', '--status', 'Ongoing');
    // with these two there are more suppliers than the page shows as cards
    for (const name of ['Quellstrom', 'Talwerke'])
        ctl('supplier', 'create', `${name.toUpperCase()}-${process.pid}`, '--name', name);
    const imported = 140;
    ctl('account', 'load', code, file('accounts.csv', accounts({ imported, staged: 38, failed: 9, in_progress: 5 })));
    ctl('account', 'load', other, file('other.csv', accounts({ staged: 20 })));
    const failed = imported + 38;
    const reasons = [
        `The meter 1PAGE${process.pid}060 is not known at the grid operator.`,
        `The meter 1PAGE${process.pid}056 is not known at the grid operator.`,
        'No contract for the date of the move.',
        "-x it's $(id)\n\u200b; see 42", // harmful if it reached a shell or a terminal
    ];
    reasons.forEach((reason, place) => {
        ctl('account', 'begin', code, number(failed + place));
        ctl('account', 'fail', code, number(failed + place), `--reason=${reason}`);
    });
    await beginEarlier(code, number(failed + 9), '7 hours 20 minutes');
    psql(past(code));
    const key = ctl('key', 'create', '--organisation', 'Nordwind', '--supplier', code).trim();
    const keyOfBoth = ctl('key', 'create', '--organisation', 'Both', '--supplier', code, '--supplier', other).trim();
    const keyFile = file('key', `${key}\n`);
    const keyId = JSON.parse(ctl('key', 'list', '--json')).find((one) => one.organisation === 'Nordwind' && one.suppliers.includes(code)).id;
    const load = (name, text) => {
        try {
            run(LOAD, '--api-key-file', keyFile, file(name, text));
        } catch (failure) {
            if (failure.status !== 1) throw failure; // 1: the service refused some requests
        }
    };
    const unknown = `NV-${process.pid}`;
    load('book.ndjson', lines(code, imported, unknown));
    await declare(code, ctl('token', 'issue', '--key', String(keyId)).trim(), imported);
    explain(code, imported);
    callDoctor();
    const drafted = JSON.parse(
        ctl('report', code, '--signed-by', 'Jane Doe', '--draft', '--output', directory, '--json'),
    );
    const addConsumer = () => {
        ctl('consumer', 'add', 'billing', '--from', 'beginning', '--supplier', code);
        psql("SELECT FROM platform.take_accounts('billing', 1)");
    };
    const declareBooked = (totals) =>
        psql(`SELECT platform.declare_totals('billing', '${code}', '${JSON.stringify(totals)}')`);
    const removeConsumer = () => ctl('consumer', 'remove', 'billing');
    const pauseOther = () => ctl('supplier', 'set', other, '--status', 'Paused');
    const resumeOther = () => ctl('supplier', 'set', other, '--status', 'Ongoing');
    // as if the last import had been 16 minutes ago
    const standStill = () =>
        psql(`INSERT INTO data_import.import_receipt (import_supplier, kind, value, at)
              VALUES ('${other}', 'notes', 1, now() - interval '16 minutes')`);
    const addNote = (place, text) =>
        load(
            'note.ndjson',
            `${JSON.stringify({ path: '/v1/data-import/notes/create/', body: body(code, place, { notes: [{ body: text }] }) })}\n`,
        );
    const addNotes = (place, count) =>
        load(
            'notes.ndjson',
            `${JSON.stringify({
                path: '/v1/data-import/notes/create/',
                body: body(code, place, { notes: Array.from({ length: count }, (_, note) => ({ body: `Call ${note}` })) }),
            })}\n`,
        );
    return { code, other, unknown, addNotes, key, keyOfBoth, keyId, number, imported, failed, silent, moved, draft: drafted.html, addNote, callDoctor, addConsumer, declareBooked, removeConsumer, pauseOther, resumeOther, standStill };
}
