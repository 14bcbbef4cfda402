// Tests acts on the page of operators: acts that are done, acts that are refused, and what the audit history says of both.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ctl, psql } from './stage.mjs';

const { BASE_URL, CA_FILE, METRICS_URL, OPERATORS_URL, OPERATORS_CERTIFICATES_URL, OPERATORS_SIGN_ON_URL, OPERATOR_CERTIFICATES } = process.env;
const ofPeople = `${OPERATORS_URL}migration/`;

/** Makes a new supplier with `accounts` accounts. */
function stageSupplier(name, accounts, ...steps) {
    const code = `${name}-${process.pid}`;
    ctl('supplier', 'create', code, '--name', `${name} Energie GmbH`);
    for (const [step, more = ''] of [['stage'], ...steps])
        psql(`SELECT data_import.account_${step}('${code}', 'A-' || n${more}) FROM generate_series(1, ${accounts}) AS n`);
    return code;
}

const stageFailed = (name, accounts) => stageSupplier(name, accounts, ['begin'], ['fail', ", 'The meter 1X' || n || ' is not known.'"]);

/** Declares the totals of a supplier, as the supplier would do it. */
async function declare(code, totals) {
    ctl('key', 'create', '--organisation', code, '--supplier', code);
    const { id } = JSON.parse(ctl('key', 'list', '--json')).find((one) => one.organisation === code);
    const answer = await fetch(`${BASE_URL}/v1/data-import/control-totals/${code}/`, {
        method: 'PUT',
        headers: { Authorization: `Token ${ctl('token', 'issue', '--key', String(id)).trim()}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(totals),
    });
    if (!answer.ok) throw new Error(`the declaration was answered ${answer.status}: ${await answer.text()}`);
}

/** Completes all accounts of a supplier, as the platform does. */
const completeAll = (code, accounts) =>
    psql(`SELECT data_import.account_complete('${code}', 'A-' || n, '${code}-' || n) FROM generate_series(1, ${accounts}) AS n`);

/** The audit history of a supplier, the oldest line first. */
const auditOf = (code) =>
    JSON.parse(ctl('audit', '--json'))
        .filter((line) => line.import_supplier === code && line.system_user.endsWith('(page of operators)'))
        .map(({ system_user, action, details }) => `${system_user.split(' ')[0]}: ${action}${details === null ? '' : ` ${details}`}`);

/** Opens the dialog of an act. Tries again, because a figure that arrives may move the button away from the pointer. */
async function button(page, text) {
    await page.faultsUntil(() => isOpen(page), (open) => !open); // waits until the previous dialog is closed
    for (let tries = 3; tries > 0; --tries) {
        await page.click('button.act', text);
        const opened = await page.page.waitForSelector('dialog[open]', { timeout: 3000 }).catch(() => null);
        if (opened !== null) return;
    }
    throw new Error(`“${text}” opens no dialog`);
}

const buttonsOf = (page) => page.page.$$eval('button.act', (all) => all.map((one) => one.innerText.replaceAll(/\s+/g, ' ')));
const isOpen = (page) => page.page.evaluate(() => document.querySelector('dialog') !== null);
const unlike = (found, wanted) =>
    JSON.stringify(found) === JSON.stringify(wanted) ? [] : [`${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`];

/** Does the act of an open dialog by keyboard. Waits for the text on what will happen, then for the text on what has happened. */
async function confirm(page, will, done) {
    await page.see(will);
    await page.page.keyboard.press('Enter');
    await page.see(done);
    await page.page.keyboard.press('Enter'); // closes
    const left = await page.faultsUntil(() => isOpen(page), (open) => !open);
    if (left.length > 0) throw new Error('the dialog stays open');
}

async function act(page, name, will, done) {
    await button(page, name);
    await confirm(page, will, done);
}

/** Accepts the one difference of a file, with a reason. */
async function explain(page, directory) {
    const file = join(directory, 'totals.csv');
    writeFileSync(file, 'external_account_number,kind,records,amount\nA-1,notes,1,\n');
    await button(page, 'Compare with a file');
    const input = await page.page.waitForSelector('dialog input[type=file]');
    await input.uploadFile(file);
    await page.click('dialog button[type=submit]');
    const reason = await page.page.waitForSelector('dialog .differences input');
    await reason.type('the letter is lost');
    await page.page.keyboard.press('Enter');
    await page.see('accepts');
    await page.page.keyboard.press('Enter');
    await page.see('Done: ');
    await page.page.keyboard.press('Escape');
}

/** Signs the report, and compares its two files with the digests in the audit history. */
async function sign(page, code, directory) {
    await button(page, 'Sign the report');
    await page.see(`This signs the report on ${code} as sara`);
    await page.page.keyboard.press('Enter');
    await page.see(`Done: the report on ${code} is signed by sara`);
    const faults = await page.faultsOfAccess();
    for (const [place, ending] of ['html', 'json'].entries()) {
        const sum = await page.page.$$eval('dialog .files code', (all, at) => all[at].textContent, place);
        const text = await page.savedBy(() => page.click('dialog .files button', `.${ending}`));
        faults.push(...unlike(createHash('sha256').update(text).digest('hex'), sum));
        const file = join(directory, `report.${ending}`);
        writeFileSync(file, text);
        if (!ctl('report', 'verify', file).includes('sara')) faults.push(`the ${ending} is not known`);
    }
    await page.picture('operators-signed');
    await page.page.keyboard.press('Escape');
    await page.see('The report is signed.');
    return faults;
}

/** The answer to a request of somebody without a browser. */
const answerOf = (address, { body = '', ...options } = {}) =>
    new Promise((done, fail) => {
        const sent = request(address, { ca: readFileSync(CA_FILE), agent: false, ...options }, (answer) => {
            let text = '';
            answer.on('data', (part) => (text += part));
            answer.on('end', () => done({ status: answer.statusCode, text }));
        });
        sent.on('error', fail);
        sent.end(body);
    });

const certificateOf = (name) => ({
    cert: readFileSync(`${OPERATOR_CERTIFICATES}/${name}.pem`),
    key: readFileSync(`${OPERATOR_CERTIFICATES}/${name}.key`),
});
const passwordOf = (name, password = name) => ({ headers: { Authorization: `Basic ${btoa(`${name}:${password}`)}` } });

/** Headers by which a client claims to be another person. */
const forged = {
    'Data-Import-Operator': 'anna',
    DATA_IMPORT_OPERATOR: 'anna',
    'Remote-User': 'anna',
    'X-Auth-Request-Email': 'anna',
    'X-Forwarded-User': 'anna',
};

export async function lookAtActs(look, browser, faultsOfView) {
    ctl('operator', 'add', 'anna', '--role', 'operator');
    ctl('operator', 'add', 'otto', '--role', 'operator');
    ctl('operator', 'add', 'sara', '--role', 'signer');
    ctl('operator', 'add', 'vera', '--role', 'viewer');

    await look('people sign in by a password, a certificate or a sign-on, and no header says who they are', ofPeople, { person: 'anna' }, async () => {
        const faults = [];
        const ways = [
            [OPERATORS_URL, passwordOf('anna'), passwordOf('vera'), [401, {}], [401, passwordOf('anna', 'wrong')]],
            [OPERATORS_CERTIFICATES_URL, certificateOf('anna'), certificateOf('vera'), [400, {}]],
            [OPERATORS_SIGN_ON_URL, { headers: { Cookie: 'person=anna' } }, { headers: { Cookie: 'person=vera' } }, [403, {}]],
        ];
        for (const [address, anna, vera, ...refused] of ways) {
            const nameOf = async (person) => JSON.parse((await answerOf(`${address}operator/acts/`, person)).text).name;
            faults.push(...unlike(await nameOf(anna), 'anna'));
            faults.push(...unlike(await nameOf({ ...vera, headers: { ...vera.headers, ...forged } }), 'vera'));
            for (const [status, somebody] of refused)
                for (const place of ['migration/', 'operator/suppliers/', 'operator/acts/', 'operator/acts/pause/'])
                    for (const method of ['GET', 'POST']) {
                        const answer = await answerOf(`${address}${place}`, { ...somebody, method, headers: { ...somebody.headers, ...forged } });
                        // a POST to an address that is not for acts gets 403, unless nginx answers 400 because the client has
                        // sent no certificate
                        const isForReading = status !== 400 && method === 'POST' && !place.includes('acts');
                        if (answer.status !== (isForReading ? 403 : status)) faults.push(`${method} ${address}${place}: ${answer.status} instead of ${status}`);
                    }
        }
        const others = [
            [`${BASE_URL}/operator/acts/`, 404],
            [`${BASE_URL}/operator/acts/pause/`, 404],
        ];
        for (const [address, status] of others)
            for (const method of ['GET', 'POST'])
                faults.push(...unlike((await answerOf(address, { method, headers: forged })).status, status));
        for (const [method, status] of [['GET', 404], ['POST', 405]])
            faults.push(...unlike((await fetch(METRICS_URL.replace('metrics', 'operator/acts/'), { method, headers: forged })).status, status));
        return faults;
    });

    await look('the day of an operator: pause, mend, stage again, explain, accept, sign, save and verify', ofPeople, { person: 'sara' }, async (page) => {
        const code = stageFailed('DAY', 28);
        await page.go(`#/supplier/${code}`);
        await page.see('sara, signer');
        await act(page, 'Pause', `This pauses ${code}, which is Ongoing: its imports are refused until it goes on.`, `Done: ${code} is Paused`);
        await page.see('paused by sara');
        await act(page, 'Resume', `This resumes ${code}`, `Done: ${code} is Ongoing`);
        await button(page, 'Stage these again');
        await page.see('This stages 28 accounts again; suppliers see them as pending.');
        await page.page.keyboard.press('Enter');
        await page.see(`Done: 28 accounts of ${code} staged again`);
        await page.click('dialog a', 'of the audit history');
        const line = await page.faultsUntil(
            () => page.page.$eval('tr.chosen', (row) => row.innerText),
            (text) => text.includes(code) && text.includes('sara (page of operators)'),
        );
        const views = await faultsOfView(page, 'operators-audit');
        completeAll(code, 28);
        await declare(code, { accounts: 28, kinds: { notes: { records: 1 } } });
        await page.go(`#/supplier/${code}`);
        const directory = mkdtempSync(join(tmpdir(), 'day-'));
        try {
            await explain(page, directory);
            await page.see('Accepted differences explain all differences of the control totals.');
            const signed = await sign(page, code, directory);
            const audit = auditOf(code);
            const days = unlike(audit, [
                'sara: status_set Ongoing -> Paused',
                'sara: status_set Paused -> Ongoing',
                'sara: accounts_staged 28 accounts',
                'sara: differences_accepted 1 difference',
                'sara: report_signed',
            ]);
            return [...line, ...views, ...signed, ...days];
        } finally {
            rmSync(directory, { recursive: true });
        }
    });

    await look('one account, a selection and all are staged again', ofPeople, { person: 'anna' }, async (page) => {
        const code = stageFailed('RETRY', 6);
        await page.go(`#/account/${code}/A-1`);
        await act(page, 'Stage it again', 'This stages 1 account again', 'Done: 1 account');
        await page.go(`#/supplier/${code}`);
        for (const number of ['A-2', 'A-3']) await page.click(`input[aria-label='Choose ${number}']`);
        await act(page, 'Stage these 2 again', 'This stages 2 accounts again', 'Done: 2 accounts');
        await act(page, 'Stage all again', 'This stages 3 accounts again', 'Done: 3 accounts');
        return unlike(auditOf(code).length, 3);
    });

    await look('an end is planned and removed; figures are acknowledged, and the acknowledgement is taken back', ofPeople, { person: 'anna' }, async (page) => {
        const code = stageFailed('BACK', 2);
        const fill = async (name, value) => {
            await page.page.waitForSelector('dialog input');
            await page.page.$eval(`dialog input[name=${name}]`, (input, text) => (input.value = text), value);
            await page.click('dialog button[type=submit]');
        };
        await page.go(`#/supplier/${code}`);
        await button(page, 'Plan the end');
        await fill('planned_end', '2099-12-31');
        await confirm(page, `This sets the planned end of ${code} to 2099-12-31; before: none.`, `Done: the planned end of ${code} is 2099-12-31`);
        await act(page, 'Remove the planned end', `This removes the planned end of ${code}; before: 2099-12-31.`, `Done: ${code} has no planned end`);
        await button(page, 'Acknowledge');
        await fill('reason', 'the meters are exchanged');
        await confirm(page, 'they need no attention until their number grows', 'Done: acknowledged');
        await page.see('anna (page of operators) has acknowledged 2 failed');
        await act(page, 'Take it back', `This takes the acknowledgement of ${code} back`, `Done: the acknowledgement of ${code} is taken back`);
        const left = await page.faultsUntil(() => buttonsOf(page), (all) => all.every((one) => !/Take it back|Remove the planned end/.test(one)));
        const told = auditOf(code).map((line) => line.split(' ')[1]);
        return [...left, ...unlike(told, ['planned_end_set', 'planned_end_set', 'figures_acknowledged', 'figures_acknowledged'])];
    });

    await look('Escape leaves without an act, and the focus comes back', ofPeople, { person: 'anna' }, async (page) => {
        const code = stageFailed('ESCAPE', 2);
        await page.go(`#/supplier/${code}`);
        await button(page, 'Pause');
        await page.see('This pauses');
        const focused = await page.page.evaluate(() => document.activeElement.textContent);
        const views = await faultsOfView(page, 'operators-act');
        await page.page.keyboard.press('Escape');
        const open = await page.faultsUntil(() => isOpen(page), (is) => !is);
        const back = await page.page.evaluate(() => document.activeElement.innerText.replaceAll(/\s+/g, ' '));
        return [...views, ...open, ...unlike(focused, 'Pause'), ...unlike(back.startsWith('Pause …'), true), ...unlike(auditOf(code), [])];
    });

    await look('an account is held, released, and reset by the number that is typed', ofPeople, { person: 'anna', expected: [400] }, async (page) => {
        const code = stageFailed('HOLD', 1);
        await page.go(`#/account/${code}/A-1`);
        await act(page, 'Hold', 'nobody can reset or erase it', 'is on hold');
        await act(page, 'Release', 'This ends the hold', 'is not on hold any more');
        await button(page, 'Reset');
        await page.page.waitForSelector('dialog input');
        await page.page.type('dialog input', '2');
        await page.page.keyboard.press('Enter');
        await page.see('must be the number of accounts that are reset, 1');
        await page.page.click('dialog input', { clickCount: 3 });
        await page.page.keyboard.type('1');
        await page.page.keyboard.press('Enter');
        await page.see('This resets 1 account');
        await page.page.keyboard.press('Enter');
        await page.see('Done: 1 account');
        const told = auditOf(code).map((line) => line.split(' ')[1]);
        return unlike(told, ['hold_begun', 'hold_ended', 'account_reset']);
    });

    await look('a supplier and its API key are created; the key is shown once', ofPeople, { person: 'anna' }, async (page) => {
        const code = `FRESH-${process.pid}`;
        await button(page, 'Create a supplier');
        await page.page.waitForSelector('dialog input');
        await page.page.type('dialog input[name=code]', code);
        await page.page.type('dialog input[name=name]', 'Frisch Strom AG');
        await page.page.keyboard.press('Enter');
        await page.see(`This creates the import supplier ${code} (Frisch Strom AG).`);
        await page.page.keyboard.press('Enter');
        await page.see('is created');
        await page.page.keyboard.press('Escape');
        await page.go(`#/supplier/${code}`);
        await button(page, 'Create an API key');
        await page.page.waitForSelector('dialog input');
        await page.page.type('dialog input', 'Frisch Strom AG');
        await page.page.keyboard.press('Enter');
        await page.see('the key is shown once');
        await page.page.keyboard.press('Enter');
        await page.see('it is shown only now');
        const [key, mail] = await page.page.$$eval('dialog textarea', (all) => all.map((one) => one.value));
        await page.page.keyboard.press('Escape');
        const { status } = await fetch(`${BASE_URL}/v1/graphql/`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ query: `mutation { obtainToken(input: { APIKey: "${key}" }) { token } }` }),
        });
        await act(page, 'Revoke', 'This revokes API key', 'is revoked');
        const seen = (await page.page.content()).includes(key) ? ['the key is still on the page'] : [];
        return [...seen, ...unlike(status, 200), ...unlike([mail.includes(code), mail.includes(key)], [true, false])];
    });

    await look('an operator accepts what the platform has booked otherwise, and cannot sign', ofPeople, { person: 'anna' }, async (page) => {
        const code = stageSupplier('BOOK', 3);
        completeAll(code, 3);
        await declare(code, { accounts: 3, kinds: {} });
        const consumer = `books${process.pid}`;
        ctl('consumer', 'add', consumer, '--from', 'beginning', '--supplier', code);
        try {
            psql(`SELECT FROM platform.take_accounts('${consumer}', 10)`);
            psql(`SELECT platform.declare_totals('${consumer}', '${code}', '{"accounts": 2, "kinds": {}}')`);
            await page.go(`#/supplier/${code}`);
            await button(page, 'Accept these differences');
            await page.page.waitForSelector('dialog input');
            await page.page.type('dialog input', 'one customer has died');
            await page.page.keyboard.press('Enter');
            await page.see(`This accepts that ${consumer} has booked other figures of ${code}`);
            await page.page.keyboard.press('Enter');
            await page.see('are accepted');
            await page.page.keyboard.press('Enter');
            await page.see('Then sign the report');
            return unlike((await buttonsOf(page)).filter((one) => one.includes('Sign')), []);
        } finally {
            ctl('consumer', 'remove', consumer);
        }
    });

    await look('a viewer sees no buttons', ofPeople, { person: 'vera' }, async (page) => {
        const code = stageFailed('VIEW', 2);
        await page.go(`#/supplier/${code}`);
        await page.see('vera, viewer');
        await page.see('A-1');
        await page.settled();
        return unlike(await buttonsOf(page), []);
    });

    await look('an operator of one supplier has buttons there alone', ofPeople, { person: 'otto' }, async (page) => {
        const code = stageFailed('OWN', 1);
        const other = stageFailed('FOREIGN', 1);
        ctl('operator', 'add', 'otto', '--role', 'operator', '--supplier', code);
        await page.page.reload();
        await page.go(`#/supplier/${code}`);
        const own = await page.faultsUntil(() => buttonsOf(page), (all) => all.some((one) => one.startsWith('Pause')));
        await page.go(`#/supplier/${other}`);
        await page.see('A-1');
        const foreign = unlike(await buttonsOf(page), []);
        ctl('operator', 'add', 'otto', '--role', 'operator');
        return [...own, ...foreign];
    });

    await look('the open page of somebody who was removed does nothing', ofPeople, { person: 'otto', expected: [403] }, async (page) => {
        const code = stageFailed('GONE', 1);
        await page.go(`#/supplier/${code}`);
        await button(page, 'Pause');
        await page.see('This pauses');
        ctl('operator', 'remove', 'otto');
        try {
            await page.page.keyboard.press('Enter');
            const told = await page.faultsUntil(() => page.page.$eval('dialog', (one) => one.innerText), (text) => text.includes('otto'));
            await page.page.keyboard.press('Escape');
            const buttons = await page.faultsUntil(() => buttonsOf(page), (all) => all.length === 0);
            await page.see('You can read here, and not act');
            return [...told, ...buttons, ...unlike(auditOf(code), [])];
        } finally {
            ctl('operator', 'add', 'otto', '--role', 'operator');
        }
    });

    await look('of two persons at once one acts, and the other is told', ofPeople, { person: 'anna', expected: [409] }, async (page) => {
        const code = stageFailed('BOTH', 1);
        const second = await browser.open(ofPeople, { person: 'otto' });
        await page.go(`#/supplier/${code}`);
        await second.go(`#/supplier/${code}`);
        for (const one of [page, second]) {
            await button(one, 'Pause');
            await one.see('This pauses');
        }
        await second.page.bringToFront();
        await second.page.keyboard.press('Enter');
        await second.see(`Done: ${code} is Paused`);
        await page.page.bringToFront();
        await page.page.keyboard.press('Enter');
        await page.see(`is Paused already, set by otto`);
        await second.close();
        return [...second.faults, ...unlike(auditOf(code), ['otto: status_set Ongoing -> Paused'])];
    });

    await look('an act whose answer was lost is done once', ofPeople, { person: 'anna' }, async (page) => {
        const code = stageFailed('LOST', 3);
        await page.go(`#/supplier/${code}`);
        await page.page.evaluate(() => {
            const ask = globalThis.fetch;
            let isLost = false;
            globalThis.fetch = async (address, init) => {
                const answer = await ask(address, init);
                if (isLost || init?.headers?.['Idempotency-Key'] === undefined) return answer;
                isLost = true;
                throw new TypeError('Failed to fetch');
            };
        });
        await button(page, 'Stage all again');
        await page.see('This stages 3 accounts again');
        await page.page.keyboard.press('Enter');
        await page.see('It may have happened or not. Try again: it happens once.');
        await page.page.keyboard.press('Enter');
        await page.see(`Done: 3 accounts of ${code} staged again`);
        const told = auditOf(code);
        return told.length === 1 ? [] : [`the audit history: ${told.join('; ')}`];
    });

    await look('nothing is done on a page that is not fresh', ofPeople, { person: 'anna', expected: ['ERR_INTERNET_DISCONNECTED'] }, async (page) => {
        const code = stageFailed('STALE', 1);
        await page.go(`#/supplier/${code}`);
        await button(page, 'Pause');
        await page.see('This pauses');
        await page.page.setOfflineMode(true);
        await page.see('This page is not fresh: nothing is done before its figures are.');
        await page.page.keyboard.press('Enter');
        const offered = await page.page.$$eval('dialog button[type=submit]', (all) => all.filter((one) => !one.disabled).length);
        await page.page.setOfflineMode(false);
        const fresh = await page.faultsUntil(() => page.page.$eval('dialog button[type=submit]', (one) => one.disabled), (is) => !is, 60_000);
        return [...fresh, ...unlike(offered, 0), ...unlike(auditOf(code), [])];
    });
}
