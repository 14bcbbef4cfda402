// Checks the page of migrations as a reader sees it. tests/migration/check runs this program, and explains it.
import { readFileSync } from 'node:fs';
import { lookAtActs } from './acts.mjs';
import { Browser } from './browser.mjs';
import { Checks } from './checks.mjs';
import { lookAtDocuments } from './documents.mjs';
import { faultsOfHtml, faultsOfSource } from './html.mjs';
import { ctl, prepare } from './stage.mjs';

const { BASE_URL, METRICS_URL } = process.env;
const forSuppliers = `${BASE_URL}/migration/`;
const forOperators = METRICS_URL.replace(/metrics$/, 'migration/');

const wanted = process.argv.slice(2);
const stage = await prepare();
const checks = new Checks('migration', (text) => text.replaceAll(stage.key, '(the key)').replaceAll(stage.keyOfBoth, '(the key)'));
const browser = await Browser.start();
const otherBrowser = await Browser.start();
const supplierHash = `#/supplier/${stage.code}`;
const accountHash = `#/account/${stage.code}/${stage.number(0)}`;
const failedHash = `#/account/${stage.code}/${stage.number(stage.failed)}`;

/** Runs a check with a new page of a browser. Faults that the browser records while the page is open count, too. */
async function lookWith(ofBrowser, name, address, options, visit) {
    if (wanted.length > 0 && !wanted.some((one) => name.includes(one))) return;
    await checks.check(name, async () => {
        const faults = [];
        const page = await ofBrowser.open(address, options);
        try {
            faults.push(...((await visit(page)) ?? []));
        } catch (failure) {
            faults.push(failure.message);
            await page.picture(`failed-${name.replaceAll(/\W+/g, '-')}`);
        }
        await page.close();
        return [...faults, ...page.faults];
    });
}

const look = (...check) => lookWith(browser, ...check);
/** Runs a check that changes nothing, beside the checks of `look`, in another browser, which has a clipboard of its own. */
const lookBeside = (...check) => lookWith(otherBrowser, ...check);

async function signIn(page, key = stage.key) {
    await page.see('API key of your organisation');
    await page.page.type('#api-key', key);
    await page.page.keyboard.press('Enter');
}

/** A visit of the supplier's own page that signs in first. */
const asSupplier = (visit, key = stage.key) => async (page) => {
    await signIn(page, key);
    await page.see('Nordwind Energie GmbH');
    return visit(page);
};

/** Searches with the field at the top of the page, which the key `/` focuses from anywhere. */
async function search(page, text) {
    await page.page.waitForSelector('[role=search] input');
    await page.page.keyboard.press('/');
    const typed = await page.faultsUntil(
        () => page.page.evaluate(() => document.activeElement === document.querySelector('[role=search] input')),
        Boolean,
    );
    if (typed.length > 0) throw new Error(`/ does not lead to the search: ${typed}`);
    await page.page.keyboard.type(text);
    await page.page.keyboard.press('Enter');
}

/** Replaces the service's answers to the requests that `isMeant` selects; `change` makes the new answer from the real one. */
async function alterAnswers(page, isMeant, change) {
    await page.page.setRequestInterception(true);
    page.page.on('request', async (request) => {
        if (!isMeant(request)) return void request.continue();
        try {
            const answer = await (await fetch(request.url())).json();
            await request.respond({ status: 200, contentType: 'application/json', body: JSON.stringify(change(answer)) });
        } catch {
            // the page was closed meanwhile
        }
    });
    await page.comeBack();
}

const equal = (found, expected) => (found === expected ? [] : [`“${found}” instead of “${expected}”`]);

/** The text of a tile at the top. */
const tileOf = (page, name) =>
    page.page.$$eval(
        '.tile',
        (tiles, wanted) => tiles.find((one) => one.innerText.startsWith(wanted)).innerText.replaceAll(/\s+/g, ' '),
        name,
    );

/** The states of accounts with their numbers and shares, as the bar's legend has them. */
const legendOf = (page) =>
    page.page.$$eval('.funnel .legend li', (items) => items.map((one) => one.innerText.replaceAll(/\s+/g, ' ').trim()));

/** The row of a supplier in the overview of many. */
const rowOf = (page, code) =>
    page.page.$$eval(
        '.suppliers tbody tr',
        (rows, wanted) =>
            rows.find((row) => row.querySelector('small').textContent === wanted)?.innerText.replaceAll(/\s+/g, ' ') ?? '',
        code,
    );

/** Shows only the suppliers with a text in their name, code or state. */
async function filterSuppliers(page, text) {
    await page.page.waitForSelector('input.filter');
    await page.page.type('input.filter', text);
}

const missing = (text, words) =>
    words.filter((word) => !text.includes(word)).map((word) => `no “${word}” in ${text.slice(0, 3000)}`);

/** Checks that change nothing run beside the others. */
const beside = (async () => {
    await lookBeside('a question that is asked rarely is soon asked again', `${forOperators}${supplierHash}`, { expected: [503] }, async (page) => {
        await page.see('Live:');
        let refused = 0;
        await page.page.setRequestInterception(true);
        page.page.on('request', (request) => {
            if (refused > 0 || !request.url().endsWith('/operator/errors.json')) return void request.continue();
            refused += 1;
            return void request.respond({ status: 503, contentType: 'application/json', body: '{"detail": "", "code": "", "errors": []}' });
        });
        await page.page.reload();
        await page.see('Not fresh');
        await page.see('Live:', 45_000);
        return equal(refused, 1);
    });
    await lookAtDocuments(lookBeside);
})();

await look('operators see all suppliers', forOperators, {}, async (page) => {
    const strip = await page.faultsOfTexts(['Need attention', 'Estimated end', 'Records in the last minute']);
    await filterSuppliers(page, stage.code);
    strip.push(...(await page.faultsOfTexts(['Times on this page are those of Europe/Berlin ('])));
    const row = await page.faultsUntil(
        () => rowOf(page, stage.code),
        (text) => ['Nordwind Energie GmbH', 'needs attention: 9 failed', 'of 192', 'Different'].every((one) => text.includes(one)),
    );
    const others = await page.faultsUntil(
        () => page.page.$$eval('.suppliers tbody tr', (rows) => rows.length),
        (rows) => rows === 1,
    );
    const title = await page.page.$eval('.suppliers tbody a', (link) => link.title);
    return [...strip, ...row, ...others, ...equal(title, 'Nordwind Energie GmbH')];
});

await look('the end of all is not told as imported where accounts failed, or there are none', forOperators, {}, async (page) => {
    let accounts = { staged: 0, in_progress: 0, failed: 2, imported: 5 };
    await alterAnswers(
        page,
        (request) => request.url().endsWith('/operator/suppliers/'),
        ({ import_suppliers: [first] }) => ({ import_suppliers: [{ ...first, accounts, estimated_end_at: null, stands_still_since: null }] }),
    );
    const ends = [];
    for (const [failed, imported, text] of [
        [2, 5, '2 failed, all others are imported'],
        [0, 0, 'no accounts yet'],
        [0, 5, 'all accounts imported'],
    ]) {
        accounts = { ...accounts, failed, imported };
        await page.comeBack();
        ends.push(...(await page.faultsUntil(() => tileOf(page, 'Estimated end'), (found) => found === `Estimated end ${text}`)));
    }
    return ends;
});

await look('operators see consumers, where there are some', forOperators, {}, async (page) => {
    const titles = () => page.page.$$eval('section h2', (all) => all.map((title) => title.innerText));
    const rows = () => page.page.$$eval('table', (all) => (all.find((one) => one.innerText.includes('records taken'))?.innerText ?? '').replaceAll(/\s+/g, ' '));
    await page.see('Need attention');
    const before = await titles();
    stage.addConsumer();
    try {
        await page.page.reload();
        const found = await page.faultsUntil(rows, (text) =>
            /billing PAGE\S+ 139 \d+ (s|min) ago 1 [1-6] \d+ (s|min) ago/.test(text),
        );
        await page.picture('consumers');
        return [...(before.includes('Consumers') ? ['consumers are told where there are none'] : []), ...found];
    } finally {
        stage.removeConsumer();
    }
});

await look('what the platform has booked stands beside what is stored and declared', `${forOperators}${supplierHash}`, {}, async (page) => {
    const titles = () => page.page.$$eval('section h2', (all) => all.map((title) => title.innerText));
    const section = () =>
        page.page.$$eval('section', (all) =>
            (all.find((one) => one.querySelector('h2')?.innerText === 'Booked by billing')?.innerText ?? '').replaceAll(/\s+/g, ' '),
        );
    await page.see('Control totals');
    const before = await titles();
    stage.addConsumer();
    try {
        await page.page.reload();
        const undeclared = await page.faultsUntil(section, (text) =>
            ['Undeclared', '139 accounts wait until the consumer takes them', `data-importctl consumer declare -- billing ${stage.code} FILE`].every(
                (one) => text.includes(one),
            ),
        );
        stage.declareBooked({ accounts: 192, kinds: { transactions: { records: 1, sums: { 'amount:CHARGE': '0.50' } } } });
        await page.page.reload();
        const different = await page.faultsUntil(section, (text) =>
            ['Different', 'kind figure declared stored booked difference', 'accounts accounts 192 192 192 ✓ equal', 'transactions records 279 280 1 ≠ -279', 'Nothing is declared to be booked of'].every(
                (one) => text.includes(one),
            ),
        );
        await page.picture('booked');
        return [...(before.includes('Booked by billing') ? ['it is told without a consumer'] : []), ...undeclared, ...different];
    } finally {
        stage.removeConsumer();
    }
});

await look('shares add up, on the page and in the report', `${forOperators}${supplierHash}`, {}, async (page) => {
    const shares = ['140 imported 72.9 %', '5 in progress 2.6 %', '9 failed 4.7 %', '38 staged 19.8 %'];
    const whole = await page.faultsUntil(() => legendOf(page), (found) => JSON.stringify(found) === JSON.stringify(shares));
    const report = readFileSync(stage.draft, 'utf8');
    const missed = shares
        .map((one) => /^(\d+) (.*) (\S+ %)$/.exec(one))
        .map(([, count, state, share]) => `<td>${state}</td><td class="number">${count}</td><td class="number">${share}</td>`)
        .filter((row) => !report.includes(row));
    let accounts = { staged: 191_857, in_progress: 12, failed: 28, imported: 423_698 };
    await alterAnswers(
        page,
        (request) => request.url().endsWith(`/operator/suppliers/${stage.code}/`),
        ({ import_suppliers: [first] }) => ({
            import_suppliers: [{ ...first, accounts }],
        }),
    );
    const small = ['423,698 imported 68.8 %', '12 in progress < 0.1 %', '28 failed < 0.1 %', '191,857 staged 31.2 %'];
    const rounded = await page.faultsUntil(() => legendOf(page), (found) => JSON.stringify(found) === JSON.stringify(small));
    // the other accounts may be in any state but imported
    const imported = [];
    for (const others of [
        { staged: 100, in_progress: 45, failed: 45 },
        { staged: 190, in_progress: 0, failed: 0 },
    ]) {
        accounts = { ...others, imported: 6010 };
        imported.push(
            ...(await page.faultsUntil(
                () => legendOf(page),
                (found) => found[0] === '6,010 imported 96.9 %' && found[3].startsWith(`${others.staged} staged`),
            )),
        );
    }
    return [...whole, ...missed, ...rounded, ...imported];
});

await look('a report is signed by a name that somebody has to type', `${forOperators}${supplierHash}`, {}, async (page) => {
    await alterAnswers(
        page,
        (request) => request.url().endsWith(`/operator/suppliers/${stage.code}/`),
        ({ import_suppliers: [first] }) => ({
            import_suppliers: [{ ...first, verdict: 'EQUAL', accounts: { staged: 0, in_progress: 0, failed: 0, imported: 192 } }],
        }),
    );
    await page.see('Then sign the report');
    const copied = await page.copiedBy('.answer.good .next:last-child button');
    const faults = equal(copied, `data-importctl report --signed-by '' -- ${stage.code}`);
    try {
        ctl('report', '--signed-by', '', '--', stage.code);
        faults.push('it is signed by nobody');
    } catch (failure) {
        if (!failure.stderr.includes('--signed-by is empty')) faults.push(failure.stderr);
    }
    return faults;
});

await look('differences keep a report from being signed as long as they are not explained', forOperators, {}, async (page) => {
    let isExplained = true;
    let signed_at = null;
    const accounts = { staged: 0, in_progress: 0, failed: 0, imported: 192 };
    await alterAnswers(
        page,
        (request) => /\/operator\/(suppliers|explanations)\//.test(request.url()),
        (answer) =>
            answer.import_suppliers === undefined
                ? { ...answer, figures: answer.figures.map((one) => ({ ...one, explained: isExplained })) }
                : {
                      import_suppliers: answer.import_suppliers.map((one) =>
                          one.code === stage.code ? { ...one, verdict: 'DIFFERENT', signed_at, has_changed_since_signed: false, accounts } : one,
                      ),
                  },
    );
    const state = () => page.page.$eval('.title .fare', (mark) => mark.innerText.replaceAll(/\s+/g, ' '));
    await page.go(supplierHash);
    await page.see('Accepted differences explain all differences');
    const explained = equal(await state(), '✓ ready to sign, all differences explained');
    isExplained = false;
    await page.go('#/');
    await filterSuppliers(page, stage.code);
    const unknown = await page.faultsUntil(
        () => rowOf(page, stage.code),
        (text) => text.includes('! control totals differ'),
    );
    await page.go(supplierHash);
    await page.see('needs attention: differences are not explained');
    const different = await page.page.$$eval('.mark.different', (marks) => marks.map((mark) => mark.textContent));
    if (!different.includes('≠ Different')) unknown.push(`not told as different: ${different}`);
    signed_at = '2024-05-31T08:30:00Z';
    // the report was signed, no figure has changed since, but the acceptance of a difference has lapsed
    const lapsed = await page.faultsUntil(state, (text) => /^! signed .*, differences are not explained$/.test(text));
    const step = await page.page.$$eval('.answer', (found) => found.filter((one) => one.innerText.includes('--signed-by')).length);
    return [...explained, ...unknown, ...lapsed, ...(step === 0 ? [] : ['the report is offered for signing'])];
});

await look('a signed report is told, and what has changed since', forOperators, {}, async (page) => {
    const all = { staged: 0, in_progress: 0, failed: 0, imported: 100 };
    const some = { ...all, failed: 40, staged: 60 };
    const signed_at = '2024-05-31T08:30:00Z';
    let now = {};
    await alterAnswers(
        page,
        (request) => /\/operator\/suppliers\/$/.test(request.url()),
        ({ import_suppliers }) => ({
            import_suppliers: import_suppliers
                .filter((one) => one.code === stage.code)
                .map((one) => ({ ...one, verdict: 'EQUAL', stands_still_since: null, accounts: all, ...now })),
        }),
    );
    const changedWords = /^! signed [^!]*2024, 10:30, changed since$/;
    const changed = { signed_at, has_changed_since_signed: true };
    const unchanged = { signed_at, has_changed_since_signed: false };
    const byRoot = { status: 'Complete', status_by: 'root' };
    const faults = [];
    for (const [supplier, words, isWanting] of [
        [unchanged, '· signed', false],
        [{ ...unchanged, verdict: 'DIFFERENT' }, '≠ Different, explained', false],
        [{ ...unchanged, ...byRoot }, '· complete, signed', false],
        [{ ...unchanged, ...byRoot, accounts: some }, '· complete, signed, 100 accounts open', false],
        [changed, changedWords, true],
        [{ ...changed, ...byRoot }, changedWords, true],
        [{ ...changed, accounts: some }, /^! signed .*2024, 10:30, changed since, 40 failed, /, true],
        [{ ...changed, accounts: some, stands_still_since: signed_at }, /^✕ has stood still for /, true],
        [{ ...byRoot, accounts: some, verdict: 'UNDECLARED' }, '! complete by root: 100 accounts open, no totals declared', true],
        [{ ...byRoot, verdict: 'UNDECLARED' }, '· complete, no totals declared', false],
        [{ ...byRoot, verdict: 'DIFFERENT' }, '! complete, control totals differ', true],
        [byRoot, '· complete', false],
    ]) {
        now = supplier;
        await page.comeBack();
        faults.push(
            ...(await page.faultsUntil(
                async () => [
                    await page.page.$$eval('.card .mark', (marks) => marks.map((mark) => mark.innerText.replaceAll(/\s+/g, ' '))),
                    await tileOf(page, 'Need attention'),
                ],
                ([marks, tile]) =>
                    marks.some((mark) => (typeof words === 'string' ? mark === words : words.test(mark))) && tile.includes(isWanting ? '1 supplier' : 'none'),
            )).map((fault) => `${words}: ${fault}`),
        );
    }
    return faults;
});

await look('the worst supplier is the first', forOperators, {}, async (page) => {
    const states = () => page.page.$$eval('.suppliers tbody tr', (rows) => rows.map((row) => row.children[1].innerText));
    const sorted = await page.faultsUntil(states, (all) => {
        const ranks = all.map((state) => (/^[✕!]/.test(state) ? 0 : 1));
        return ranks.length > 3 && ranks.every((one, place) => place === 0 || one >= ranks[place - 1]);
    });
    await page.click('.suppliers th button', 'failed');
    const failed = await page.faultsUntil(
        () => page.page.$$eval('.suppliers tbody tr', (rows) => rows.map((row) => Number(row.children[3].innerText.replaceAll(',', '')))),
        (all) => all[0] >= 9 && all.every((one, place) => place === 0 || one <= all[place - 1]),
    );
    return [...sorted, ...failed];
});

/** Makes the page show only the suppliers of the stage, with the values that `valuesOf` returns. */
async function alterSuppliers(page, valuesOf) {
    await alterAnswers(
        page,
        (request) => /\/operator\/suppliers\/([^/]+\/)?$/.test(request.url()),
        ({ import_suppliers }) => ({
            import_suppliers: import_suppliers
                .filter((one) => one.code.endsWith(`-${process.pid}`))
                .map((one) => ({ ...one, refused_last_hour: 0, oldest_in_progress: null, stands_still_since: null, ...valuesOf(one.code) })),
        }),
    );
}

const accountsOf = (all, failed) => ({ staged: all - failed, in_progress: 0, failed, imported: 0 });

await look('who is late comes first, then the largest share and number', forOperators, {}, async (page) => {
    const last_import_at = '2024-05-02T08:30:00Z';
    const values = {
        [stage.code]: { accounts: accountsOf(10, 0), planned_end: '2024-05-31' },
        [stage.other]: { accounts: accountsOf(10, 1), last_import_at },
        [`QUELLSTROM-${process.pid}`]: { accounts: accountsOf(1000, 40), last_import_at },
        [`TALWERKE-${process.pid}`]: { accounts: accountsOf(100, 5), attention: 6, last_import_at },
    };
    await alterSuppliers(page, (code) => values[code]);
    const rows = await page.faultsUntil(
        () => page.page.$$eval('.suppliers tbody tr', (all) => all.map((row) => `${row.querySelector('small').textContent} ${row.children[1].innerText}`)),
        (all) =>
            all.length === 4 &&
            /^PAGE.*late: planned for .*2024/.test(all[0]) &&
            /^QUELLSTROM.*needs attention: 40.failed$/.test(all[1]) &&
            /^OTHER.*needs attention: 1.failed$/.test(all[2]) &&
            /^TALWERKE.*✓ running, 5.failed$/.test(all[3]),
    );
    const coloured = await page.page.$$eval('.suppliers tbody td .warn', (all) => all.map((one) => one.textContent));
    return [...rows, ...(coloured.includes('5') ? ['a figure below the threshold stands out'] : []), ...(coloured.includes('40') ? [] : ['40 failed do not stand out'])];
});

await look('what was acknowledged is quiet until it grows, and each state has a next step', `${forOperators}${supplierHash}`, {}, async (page) => {
    const acknowledged = { failed: 5, refused: 0, reason: 'meters are replaced', by: 'jane', at: '2024-05-31T08:30:00Z' };
    const begun = { last_import_at: '2024-05-02T08:30:00Z', verdict: 'UNDECLARED' };
    const done = { accounts: { staged: 0, in_progress: 0, failed: 0, imported: 9 } };
    const signed = { signed_at: '2024-05-31T08:30:00Z', has_changed_since_signed: false };
    const erasure = { began_at: '2024-06-30T08:30:00Z', by: 'anna', ended_at: '2024-06-30T08:31:00Z', accounts: 9, records: 99 };
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    let now = {};
    await alterSuppliers(page, () => now);
    const faults = [];
    for (const [values, words, step] of [
        [{ ...begun, accounts: accountsOf(100, 5), acknowledged }, '✓ running, 5 failed', 'jane has acknowledged 5 failed and 0 refused: meters are replaced'],
        [{ ...begun, accounts: accountsOf(100, 6), acknowledged }, '! needs attention: 6 failed', 'data-importctl supplier acknowledge'],
        [{ ...begun, accounts: accountsOf(100, 0), refused_last_hour: 3 }, '! needs attention: 3 refused', 'Copy as mail'],
        [{ ...begun, accounts: accountsOf(100, 0), planned_end: '2024-05-31' }, /^✕ late: planned for .*2024, running$/, '--planned-end=DATE'],
        [
            { ...begun, accounts: accountsOf(100, 0), planned_end: new Date().toISOString().slice(0, 10), estimated_end_at: tomorrow },
            /^! expected late: planned for /,
            'will not end by the planned day',
        ],
        [{ ...begun, accounts: accountsOf(100, 0), stands_still_since: '2024-05-31T08:30:00Z' }, /^✕ has stood still for /, 'data-importctl import log'],
        [{ last_import_at: null, accounts: accountsOf(100, 0) }, '· not begun', 'data-importctl key create'],
        [{ ...begun, accounts: accountsOf(0, 0) }, '· no accounts yet', 'data-importctl account load'],
        [{ ...begun, ...done }, '· all accounts imported, no totals declared', 'data-import-load --totals --declare'],
        [{ ...begun, ...done, ...signed }, '· signed', 'data-importctl supplier set --status Complete'],
        [{ ...begun, ...done, ...signed, status: 'Complete' }, '· complete, signed', 'nothing is left to do'],
        [{ ...begun, accounts: accountsOf(0, 0), status: 'Complete', verdict: 'DIFFERENT', erasure }, /^· erased .*: 9 accounts by anna$/, 'nothing is left to do'],
        [{ ...begun, ...done, accounts: accountsOf(9, 0), status: 'Complete', status_by: 'root' }, /^! complete by root: 9 accounts open/, '--status Ongoing'],
        [{ ...begun, accounts: accountsOf(100, 0), status: 'Paused' }, /^! paused /, '--status Ongoing'],
    ]) {
        now = values;
        await page.comeBack();
        faults.push(
            ...(await page.faultsUntil(
                async () => [
                    await page.page.$eval('.title .fare', (mark) => mark.innerText.replaceAll(/\s+/g, ' ')).catch(() => ''),
                    await page.page.$$eval('.answer', (all) => all.map((one) => one.innerText.replaceAll(/\s+/g, ' ')).join(' ')),
                ],
                ([mark, answer]) => (typeof words === 'string' ? mark === words : words.test(mark)) && answer.includes(step),
            )).map((fault) => `${words}: ${fault}`),
        );
    }
    return faults;
});

await look('refusals are copied as a mail', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.see('Copy as mail');
    const copied = await page.copiedBy('.mail button');
    return missing(copied, [
        `Refused requests of ${stage.code}`,
        'x invalid (/v1/data-import/notes/create/, notes.N.is_pinned)',
        'This value must be true or false.',
        'What to do: ',
        'Accounts, for example: 4711-00',
        ', request ',
    ]);
});

await look('a refused request says why, and not where its records are', forOperators, {}, async (page) => {
    const id = '0f8b2c4d6e8a0b1c2d3e4f5a6b7c8d9e';
    const refused = {
        import_supplier: stage.code, external_account_number: stage.number(0), is_known: true, at: '2024-05-31T08:30:00Z', line: 0,
        endpoint: '/v1/data-import/notes/create/', status: 400, code: 'validation_error', detail: null,
        places: [{ code: 'invalid', attr: 'notes.0.is_pinned', detail: 'This value must be true or false.' }],
    };
    const counted = { ...refused, item_code: 'invalid', attr: 'notes.N.is_pinned', detail: 'This value must be true or false.' };
    const faults = [];
    for (const answer of [{ refused: [refused], counted: [] }, { refused: [], counted: [counted] }]) {
        page.page.removeAllListeners('request');
        await alterAnswers(
            page,
            (request) => request.url().includes('/operator/request/'),
            () => ({ request_id: id, refused_lines: null, ...answer }),
        );
        await page.go(`#/`);
        await page.go(`#/request/${id}`);
        await page.see('This value must be true or false.');
        if ((await page.text()).includes('What this request stored')) faults.push('stored records are said to be listed');
    }
    return faults;
});

await look('a pause is told with its operator, and a standstill with its time', forOperators, {}, async (page) => {
    stage.pauseOther();
    await filterSuppliers(page, stage.other);
    const paused = await page.faultsUntil(
        () => rowOf(page, stage.other),
        (text) => /paused by \S+ \d+\s(s|min)\sago/.test(text),
    );
    stage.resumeOther();
    stage.standStill();
    const still = await page.faultsUntil(
        () => rowOf(page, stage.other),
        (text) => /has stood still for 1[67]\smin/.test(text),
    );
    await page.go(`#/supplier/${stage.other}`);
    const end = await page.faultsUntil(
        () => page.page.$$eval('.tile', (tiles) => tiles.find((one) => one.innerText.startsWith('Estimated end')).innerText),
        (text) => /has stood still for 1[67]\smin/.test(text),
    );
    return [...paused, ...still, ...end];
});

await look('what doctor finds of control totals is told with the supplier', `${forOperators}#/supplier/${stage.other}`, {}, async (page) => {
    await page.see('Stadtwerke Musterstadt');
    // The receipt that standStill() stores counts a note that does not exist. So the control totals of the supplier `stage.other`
    // differ from the supplier's records.
    stage.standStill();
    stage.callDoctor();
    await page.page.reload();
    await page.see(`those of ${stage.other} are not what its records say (notes records:`);
    const command = await page.faultsOfTexts([`recount ${stage.other} --yes`]);
    const answered = page.page.waitForResponse((one) => one.url().includes('/operator/doctor/'));
    await page.go(supplierHash);
    await page.see('Nordwind Energie GmbH');
    await answered;
    await page.settled();
    const others = await page.page.$$eval('.answer.bad', (found) => found.map((one) => one.innerText));
    return [...command, ...others];
});

await look('long reasons are folded', `${forOperators}${supplierHash}`, {}, async (page) => {
    const reason = 'Der Netzbetreiber hat keine Antwort gegeben. '.repeat(60).trim();
    await alterAnswers(
        page,
        (request) => request.url().includes('/operator/failed-accounts/'),
        (answer) => ({ ...answer, accounts: answer.accounts.map((one) => ({ ...one, reason })) }),
    );
    await page.see('Show all');
    const height = () => page.page.$eval('td .long', (one) => one.getBoundingClientRect().height);
    const folded = await height();
    await page.click('td.text button', 'Show all');
    await page.see('Show less');
    return folded < 100 && (await height()) > 2 * folded ? [] : [`${folded} px folded, ${await height()} px whole`];
});

await look('one more code than are stacked has its own name', `${forOperators}${supplierHash}`, {}, async (page) => {
    const codes = (count) => Object.fromEntries(Array.from({ length: count }, (_, place) => [`code_${place}`, [0, 1 + place]]));
    let count = 6;
    await alterAnswers(
        page,
        (request) => request.url().includes('/operator/refusals/'),
        (answer) => ({ ...answer, counts: codes(count) }),
    );
    const legend = () => page.page.$$eval('.chart .legend', (all) => all.map((one) => one.innerText.replaceAll(/\s+/g, ' ')).join());
    const six = await page.faultsUntil(legend, (text) => text.includes('code_0') && !text.includes('other'));
    count = 7;
    return [...six, ...(await page.faultsUntil(legend, (text) => text.includes('2 others 3') && !text.includes('code_1')))];
});

/** Chooses a span in a section, and waits for its curve. */
async function seeCurve(page, title, span) {
    await page.page.waitForFunction(
        (name, wanted) => {
            const section = [...document.querySelectorAll('section')].find(
                (one) => one.querySelector('h2')?.textContent === name,
            );
            const button = [...section.querySelectorAll('.choice button')].find((one) => one.textContent === wanted);
            if (button.getAttribute('aria-pressed') === 'true') return section.querySelector('.chart canvas') !== null;
            button.click();
            return false;
        },
        { timeout: 10_000 },
        title,
        span,
    );
}

await look('operators see one supplier', `${forOperators}${supplierHash}`, {}, async (page) => {
    const faults = await page.faultsOfTexts([
        'Records by kind',
        'The meter …PAGE… is not known at the grid operator.',
        'stuck?',
        'Throughput',
        'Refusals',
        'Failed accounts',
        'Accounts in progress',
        'max_decimal_places',
        'notes.N.is_pinned',
        '/create/',
        'needs attention: 9 failed, an account in progress for 7 h 2',
        'plus 1 that the service itself made',
    ]);
    for (const span of ['Last hour', 'Last day', 'All']) await seeCurve(page, 'Throughput', span);
    return faults;
});

await look('control totals are green only where they are equal', `${forOperators}${supplierHash}`, {}, async (page) => {
    const faults = await page.faultsUntil(
        () => page.page.$$eval('.mark', (marks) => marks.map((mark) => `${mark.className} ${mark.textContent}`)),
        (marks) => marks.filter((mark) => mark === 'mark explained ≠ Different, explained').length === 2,
    );
    const differences = await page.faultsUntil(
        () => page.page.$$eval('.is-different', (rows) => rows.map((row) => row.textContent)),
        (rows) => rows.length === 3 && rows.some((row) => row.includes('+12.50')),
    );
    const undeclared = await page.faultsOfTexts(['The supplier has declared nothing of notes.']);
    await page.go('#/');
    await filterSuppliers(page, String(process.pid));
    const overview = await page.faultsUntil(
        async () => [await rowOf(page, stage.code), await rowOf(page, stage.other)],
        ([one, other]) => one.includes('≠ Different') && other.includes('undeclared'),
    );
    return [...faults, ...differences, ...undeclared, ...overview];
});

await look('the curve is read by keyboard', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.page.waitForSelector('.chart canvas');
    const at = () => page.page.$eval('.chart .at time', (time) => Date.parse(time.dateTime));
    await page.page.waitForSelector('.chart .at time');
    await page.page.focus('.chart .plot');
    /** Presses keys and returns the time that is announced then, as soon as two readings of it are the same. */
    const after = async (...keys) => {
        for (const key of keys) await page.page.keyboard.press(key);
        let last;
        await page.faultsUntil(at, (now) => now === last || ((last = now), false));
        return last;
    };
    // tries again if a new minute began between the two readings
    return page.faultsUntil(
        async () => (await after('End')) - (await after('ArrowLeft', 'ArrowLeft')),
        (milliseconds) => milliseconds === 120_000,
    );
});

await look('tables are saved as files', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.see('No contract for the date of the move.');
    const wanted = `${stage.number(stage.failed + 2)},No contract for the date of the move.,`;
    return page.faultsUntil(
        async () => (await page.savedBy(() => page.click('button', 'failed accounts'))).split('\r\n'),
        (lines) =>
            lines[0].endsWith('account,reason,failed') &&
            lines.length === 11 &&
            lines.some((line) => line.startsWith(wanted)),
    );
});

await look('explained differences are told', `${forOperators}${supplierHash}`, {}, async (page) => {
    const reasons = await page.faultsOfTexts([
        'The charge of May was booked twice, as is known.',
        'The letter of 2023 is lost.',
        '40.00 → 52.50',
    ]);
    const explained = await page.faultsUntil(
        () => page.page.$$eval('.is-different', (rows) => rows.map((row) => row.textContent)),
        (rows) => rows.length === 3 && rows.every((row) => row.includes('explained')),
    );
    return [...reasons, ...explained];
});

await look('accounts without records are looked for', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.see('Find accounts without notes');
    await page.click('button', 'Find accounts without notes');
    await page.page.waitForSelector('table[aria-labelledby] caption');
    await page.page.waitForFunction(
        (number) =>
            [...document.querySelectorAll('table')].some(
                (table) =>
                    table.querySelector('caption')?.textContent === 'imported accounts without notes' &&
                    table.textContent.includes(number),
            ),
        {},
        stage.number(stage.silent),
    );
    await page.click('.choice button', 'Transactions');
    await page.click('button', 'Find accounts without transactions');
    await page.see('Every imported account has transactions.');
});

await look('the report is drafted', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.see('Draft the report');
    const draft = await page.savedBy(() => page.click('button', 'Draft the report'));
    return missing(draft, ['DRAFT', 'Migration of Nordwind Energie GmbH', 'The letter of 2023 is lost.', '<svg']);
});

await look('the report reads well on a screen and on paper', `file://${stage.draft}`, {}, async (page) => {
    await page.see('Migration of Nordwind Energie GmbH');
    const stamp = () =>
        page.page.$eval('.stamp', (one) => `${getComputedStyle(one).display} ${getComputedStyle(one).position}`);
    // `onScreen` is read at once, because the report is a file without scripts, which does not change after the browser has
    // loaded it
    const onScreen = await stamp();
    const faults = [
        ...(await page.faultsOfWidth(1280)),
        ...(await page.faultsOfBreaks(1280)),
        ...(await page.faultsOfWidth(390)),
        ...(await page.faultsOfBreaks(390)),
        ...(await page.faultsOfAccess()),
        ...(await faultsOfHtml(readFileSync(stage.draft, 'utf8'), 'report')),
    ];
    await page.picture('report-telephone');
    await page.page.setViewport({ width: 1280, height: 900 });
    await page.picture('report-screen');
    await page.page.emulateMediaType('print');
    // `onPaper` must have the position `fixed`, because browsers print an element with this position on every page
    const onPaper = await stamp();
    await page.page.pdf({ preferCSSPageSize: true, path: `${process.env.PICTURES}/report.pdf` });
    if (!onScreen.startsWith('none')) faults.push(`the stamp is on the screen: ${onScreen}`);
    if (onPaper !== 'block fixed') faults.push(`the stamp on paper: ${onPaper}`);
    return faults;
});

await look('an account is found by its number on the platform', forOperators, {}, async (page) => {
    const { service_account_number } = JSON.parse(ctl('account', 'show', stage.code, stage.number(0), '--json'));
    await search(page, service_account_number);
    await page.see('Last imports');
    const hash = await page.faultsUntil(
        () => page.page.evaluate(() => location.hash),
        (found) => found === accountHash,
    );
    const answer = await page.faultsOfTexts([`${stage.number(0)} is imported and has`]);
    return [...hash, ...answer];
});

await look('numbers are found by their beginning', forOperators, {}, async (page) => {
    await search(page, stage.number(0).slice(0, -1));
    const found = await page.faultsUntil(
        () => page.page.$$eval('td', (cells) => cells.map((cell) => cell.innerText)),
        (cells) => [stage.code, stage.other, stage.number(0), stage.number(4)].every((one) => cells.includes(one)),
    );
    await page.go(`#/search/${stage.number(0)}`);
    await page.see('have this number');
    const faults = await faultsOfView(page, 'operators-found');
    return [...found, ...faults];
});

await look('suppliers and reasons are found, with the next command', forOperators, {}, async (page) => {
    await search(page, stage.code);
    const hash = await page.faultsUntil(
        () => page.page.evaluate(() => location.hash),
        (found) => found === supplierHash,
    );
    await search(page, `1page${process.pid}056`);
    await page.see('1 account has failed for a reason with it');
    const link = await page.faultsUntil(
        () => page.page.$eval('td a[href^="#/supplier/"]', (found) => found.hash),
        (found) => found === supplierHash,
    );
    const commands = await page.page.$$eval('.command', (found) => found.map((one) => one.innerText));
    await search(page, 'nobody knows this');
    const nothing = await page.faultsOfTexts([
        'nobody knows this: no account has this number',
        'upper and lower case are different',
    ]);
    return [...hash, ...link, ...commands, ...nothing];
});

await look('what may be longer is told as at least so much', forOperators, {}, async (page) => {
    const asLong = (list) => (answer) => ({ ...answer, most: answer[list].length });
    await alterAnswers(
        page,
        (request) => /\/operator\/(search|failure-reasons)\//.test(request.url()),
        (answer) => asLong('beginning' in answer ? 'beginning' : 'reasons')(answer),
    );
    await search(page, stage.number(0).slice(0, -1));
    await page.see('at least 20 numbers begin with it');
    await search(page, `1page${process.pid}056`);
    await page.see('at least 1 account has failed for a reason with it');
    await page.go(supplierHash);
    return page.faultsOfTexts(['These are the 4 most frequent reasons; there may be more.']);
});

await look('what was refused of an unknown account is found', forOperators, { expected: [404] }, async (page) => {
    const sentence = [
        `${stage.unknown}: ${stage.code} sent notes/create/ at`,
        '(2 requests); no account of this number is known here.',
        `data-importctl account stage -- ${stage.code} ${stage.unknown}`,
    ];
    await search(page, stage.unknown);
    const found = await page.faultsOfTexts(sentence);
    await page.go(`#/account/${stage.code}/${stage.unknown}`);
    await page.see(`account of ${stage.code}`);
    const ofAccount = await page.faultsOfTexts(sentence);
    await page.click('td a[href^="#/request/"]');
    await page.see(stage.unknown);
    await page.see('not known here');
    const ofRequest = await page.faultsOfTexts(['account_not_found']);
    await page.go(supplierHash);
    const list = await page.faultsOfTexts([`data-importctl import log --supplier=${stage.code} --unknown`]);
    return [...found, ...ofAccount, ...ofRequest, ...list];
});

await look('a mistyped number leads to the one that was meant', forOperators, { expected: [404] }, async (page) => {
    const number = stage.number(100);
    const typed = number.replace('-', '');
    const question = `Did you mean ${number} of ${stage.code}?`;
    await search(page, typed);
    const found = await page.faultsOfTexts([question]);
    await page.go(`#/account/${stage.code}/${typed}`);
    return [...found, ...(await page.faultsOfTexts([question, `There is no account ${typed} of ${stage.code}`]))];
});

await look('refusals that are not kept are told', forOperators, { expected: [404] }, async (page) => {
    const share = { import_supplier: stage.code, since: '2024-05-31', refusals: 300, kept: 44 };
    await alterAnswers(
        page,
        (request) => /\/operator\/(search|account|request)\//.test(request.url()) && !request.url().includes('/account/' + stage.code + '/no-such-number'),
        (answer) => ({ ...answer, partly_kept: [share], not_kept: share, refused_lines: 91 }),
    );
    const told = [`256 of the 300 refusals of ${stage.code} since 2024-05-31 were only counted`, `IMPORT_SUPPLIER=${stage.code} ACCOUNT=`];
    const faults = [];
    for (const hash of ['#/search/no-such-number', `#/account/${stage.code}/no-such-number`, accountHash]) {
        await page.go(hash);
        faults.push(...(await page.faultsOfTexts(told)).map((fault) => `${hash}: ${fault}`));
    }
    const id = 'f'.repeat(32);
    await page.go(`#/request/${id}`);
    return [...faults, ...(await page.faultsOfTexts(['0 of 91 refused lines are kept', `REQUEST_ID=${id}`]))];
});

await look('an erased account is told', forOperators, { expected: [404] }, async (page) => {
    await alterAnswers(page, (request) => request.url().includes('/operator/search/'), (answer) => ({
        ...answer,
        erased: [{ import_supplier: stage.code, at: '2024-05-31T08:30:00Z', by: 'anna' }],
    }));
    const faults = [];
    for (const hash of ['#/search/no-such-number', `#/account/${stage.code}/no-such-number`]) {
        await page.go(hash);
        faults.push(...(await page.faultsOfTexts([`no-such-number of ${stage.code} was erased at`, 'by anna; imports into it are answered account_not_found'])));
        faults.push(...equal(await page.page.$$eval('.command', (all) => all.length), 0));
    }
    return faults;
});

await look('no command is proposed for a number with invisible characters', `${forOperators}#/account/${stage.code}/no%E2%80%8Bbody`, { expected: [404] }, async (page) => {
    await page.see('no refusal of this number is kept');
    const commands = await page.page.$$eval('.command', (all) => all.map((one) => one.innerText));
    return commands.length === 0 ? [] : [`commands: ${commands}`];
});

await look('a group of reasons filters the failed accounts', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.click('.reasons button', 'The meter …PAGE… is not known');
    const rows = await page.faultsUntil(
        () =>
            page.page.$$eval('table', (tables) =>
                [...tables.find((one) => one.caption?.textContent === 'failed accounts').tBodies[0].rows].map((row) => row.innerText),
            ),
        (all) => all.length === 2 && all.every((row) => row.includes(`1PAGE${process.pid}0`)),
    );
    const retry = await page.faultsOfTexts([
        'Choose a reason to list its accounts',
        'Have all 2 tried again',
        `data-importctl account retry --reason-like='is not known at the grid operator.' -- ${stage.code}`,
    ]);
    await page.click('.reasons button', "it's $(id)");
    await page.see('Have it tried again');
    const copied = equal(
        await page.copiedBy('::-p-xpath(//p[@class="next"][contains(., "Have it tried again")]//button)'),
        `data-importctl account retry --reason-like='-x it'\\''s $(id)' -- ${stage.code}`,
    );
    await page.click('.reasons button', "it's $(id)");
    await page.see('No contract for the date of the move.');
    return [...rows, ...retry, ...copied];
});

await look('a request is found by its id', `${forOperators}${accountHash}`, {}, async (page) => {
    await page.see('Last imports');
    await page.click('a[href^="#/request/"]');
    const faults = await page.faultsOfTexts(['Stored', 'In the account', stage.number(0)]);
    await page.go(supplierHash);
    await page.see('Refusals');
    let refused;
    faults.push(
        ...(await page.faultsUntil(
            () => page.page.$$eval('tr', (rows) => rows.find((row) => row.innerText.includes('notes.N.is_pinned')).querySelector('a').hash),
            (hash) => (refused = hash).startsWith('#/request/'),
        )),
    );
    await search(page, refused.split('/')[2]);
    await page.see('What this request stored is listed under');
    await page.page.waitForSelector('tbody tr');
    return [...faults, ...(await faultsOfView(page, 'operators-request'))];
});

// The figure must rise by 1 after the first note, or else after a second note. It counts the records of the last hour, minute by
// minute. If a minute begins after the first note, the oldest minute is dropped, and the figure may fall. No other minute begins
// until the second note counts, because the test waits at most 12 s for each note.
await look('figures follow an import', forOperators, {}, async (page) => {
    await filterSuppliers(page, stage.code);
    const records = () =>
        page.page.$eval('.suppliers tbody tr', (row) => Number(row.children[5].innerText.replaceAll(',', '')));
    const becomes = async (expected) => {
        const began = Date.now();
        while ((await records()) !== expected) {
            if (Date.now() - began > 12_000) return false;
            await new Promise((done) => setTimeout(done, 200));
        }
        return true;
    };
    const faults = await page.faultsUntil(records, (number) => number > 0);
    for (const note of ['Live', 'Live again']) {
        const before = await records();
        stage.addNote(0, note);
        if (await becomes(before + 1)) return [];
        faults.push(`${before} before, ${await records()} after one more note`);
    }
    return faults;
});

await look('operators see how the service fares', `${forOperators}#/health`, {}, async (page) => {
    return page.faultsOfTexts(['Workers', '/v1/data-import/notes/create/', 'Findings of doctor', 'Looked at by', '✓ up', 'import', 'listing', 'waited: half within', 'waited: 99 % within', 'worked: 99 % within', 'Payment vendors', 'are right.']);
});

await look('an account is found by its number', forOperators, {}, async (page) => {
    await search(page, stage.number(stage.failed + 1));
    await page.see(`: The meter 1PAGE${process.pid}056 is not known at the grid operator.`);
    const failed = await page.faultsOfTexts([
        'has failed, and 1 other for the same reason',
        `data-importctl account stage -- ${stage.code} ${stage.number(stage.failed + 1)}`,
    ]);
    await page.go(accountHash);
    const imported = await page.faultsOfTexts(['Last imports', 'imported', 'transactions', 'request id', 'Open statement period']);
    return [...failed, ...imported];
});

await look('a state does not tick for those who listen', `${forOperators}#/account/${stage.code}/${stage.number(stage.failed + 10)}`, {}, async (page) => {
    await page.see('an attempt to create it has been running since');
    const told = () => page.page.$eval('[role=status]', (one) => one.innerText);
    const before = await told();
    await new Promise((done) => setTimeout(done, 2500));
    return equal(await told(), before);
});

/** How often operators have looked at the notes of an account, by the audit history. */
const looksAt = (number) => ctl('audit').split(`notes of account ${number} of ${stage.code}`).length - 1;

await look('records are shown as they were sent, and the look is recorded', forOperators, {}, async (page) => {
    const number = stage.number(3);
    stage.addNotes(3, 105);
    await page.go(`#/account/${stage.code}/${number}`);
    await page.see('the audit history notes that somebody has looked at them');
    const unasked = looksAt(number);
    await page.click('button', 'Show the last notes');
    await page.see('Call 104');
    await page.click('button', 'Show older ones');
    await page.see('There are no older ones.');
    const rows = await page.page.$$eval('.records tbody tr', (all) => all.map((one) => one.innerText));
    await page.click('.choice button', 'transactions');
    await page.click('button', 'Show the last transactions');
    const fields = await page.faultsOfTexts(['transaction_id', 'c-3', '12.50', 'GENERAL_CHARGE']);
    const unmoved = (await page.text()).includes('stored under the date') ? ['c-3 was not moved'] : [];
    const pictures = await faultsOfView(page, 'operators-records');
    await page.go(`#/account/${stage.code}/${stage.number(stage.moved)}`);
    await page.click('.choice button', 'transactions');
    await page.click('button', 'Show the last transactions');
    const moved = await page.faultsUntil(
        () => page.page.$$eval('.records tbody tr', (all) => all.map((one) => one.innerText.replaceAll(/\s+/g, ' '))),
        (all) =>
            all.some((row) => row.includes('transaction_date 2024-04-30') && row.includes('stored under the date 2024-05-01')) &&
            all.some((row) => row.includes('p-7') && !row.includes('stored under')),
    );
    return [
        ...fields,
        ...unmoved,
        ...pictures,
        ...moved,
        ...equal(unasked, 0),
        ...equal(looksAt(number), 1),
        ...equal(rows.length, 107),
        ...(rows.at(-1).includes('Prefers letters') || rows.at(-1).includes('meter read: 1003') ? [] : rows.slice(-1)),
    ];
});

await look('a setting hides records', forOperators, {}, async (page) => {
    await alterAnswers(
        page,
        (request) => request.url().includes('/operator/account/'),
        (answer) => ({ ...answer, shows_records: false }),
    );
    await page.go(accountHash);
    await page.see('The setting operators_see_records is no: records are not shown here.');
    return equal(await page.page.$$eval('button', (all) => all.filter((one) => one.innerText.startsWith('Show the last')).length), 0);
});

await look(
    'a number that nobody has is told',
    `${forOperators}#/account/${stage.code}/nobody`,
    { expected: [404] },
    (page) => page.see(`There is no account nobody of ${stage.code}, and no refusal of this number is kept.`),
);

await look('a wrong key is refused', forSuppliers, {}, async (page) => {
    await signIn(page, 'di_0000000000000000000000000000000000000000000');
    await page.see('This API key is not valid.');
});

await look(
    'suppliers see what their key may touch, and no more',
    forSuppliers,
    { expected: [404] },
    asSupplier(async (page) => {
        await page.see('140 of 192 accounts');
        const faults = (await page.text()).includes('Stadtwerke') ? ['another supplier is seen'] : [];
        await page.go(`#/supplier/${stage.other}`);
        await page.see(`There is no import supplier ${stage.other} for this API key`);
        await page.go(`#/account/${stage.other}/${stage.number(0)}`);
        await page.see(`There is no account ${stage.number(0)} of ${stage.other}.`);
        const answer = await page.page.evaluate(
            async (address) => (await fetch(address)).status,
            `${BASE_URL}/operator/suppliers/`,
        );
        return answer === 404 ? faults : [...faults, `/operator/ answers ${answer} to clients`];
    }),
);

await look(
    'suppliers see their own migration',
    forSuppliers,
    { expected: [404] },
    asSupplier(async (page) => {
        await page.go(supplierHash);
        const faults = await page.faultsOfTexts([
            'Control totals',
            'The meter …PAGE… is not known at the grid operator.',
            'records per minute',
            'notes.N.is_pinned',
            '4711-0178',
            'historical statements',
            'max_decimal_places',
            'This value must be true or false.',
        ]);
        for (const title of ['Throughput', 'Refusals']) {
            for (const span of ['Last day', 'All']) await seeCurve(page, title, span);
        }
        await page.page.$$eval('tr', (rows) => rows.find((row) => row.innerText.includes('notes.N.is_pinned')).querySelector('a').click());
        await page.see('notes.N.is_pinned');
        faults.push(...(await page.faultsOfTexts(['This value must be true or false.'])));
        if ((await page.text()).includes('data-importctl')) faults.push('a command of operators is shown');
        await search(page, stage.number(0));
        await page.see('The account exists on the platform; its records may still be to come.');
        return faults;
    }),
);

await look(
    'all suppliers of a key are asked for in one request at a time',
    forSuppliers,
    {},
    asSupplier(async (page) => {
        const asked = [];
        page.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
        const first = await page.faultsUntil(
            () => asked,
            (paths) => paths.length > 0,
        );
        asked.length = 0;
        const seconds = 7;
        await new Promise((done) => setTimeout(done, seconds * 1000));
        const isBounded = asked.length <= Math.ceil(seconds / 2);
        const isOfAll = asked.every((path) => path === '/v1/data-import/import-suppliers/');
        return isBounded && isOfAll ? first : [...first, ...asked];
    }, stage.keyOfBoth),
);

await look(
    'neither key nor token is kept',
    forSuppliers,
    {},
    asSupplier(async (page) => {
        const kept = await page.page.evaluate(
            () => localStorage.length + sessionStorage.length + document.cookie.length,
        );
        const body = await page.page.evaluate(() => document.documentElement.outerHTML);
        await page.page.reload();
        await page.see('API key of your organisation');
        return [kept > 0 && 'something is stored', body.includes(stage.key) && 'the key is in the document'].filter(
            Boolean,
        );
    }),
);

/** Answers the next request that `isMeant` selects with `body` in place of the server, and more until `isLast` is true. */
async function answerInstead(page, isMeant, status, body, isLast = () => true) {
    let isDone = false;
    await page.page.setRequestInterception(true);
    page.page.on('request', (request) => {
        if (isDone || !isMeant(request)) return void request.continue();
        isDone = isLast();
        return void request.respond({ status, contentType: 'application/json', body: JSON.stringify(body) });
    });
}

await look(
    'an expired token is renewed',
    forSuppliers,
    { expected: [401] },
    asSupplier(async (page) => {
        let renewals = 0;
        page.page.on('request', (request) => {
            if (request.url().endsWith('/v1/graphql/') && request.postData()?.includes('"refreshToken":'))
                renewals += 1;
        });
        await answerInstead(page, (request) => request.url().includes('/import-suppliers/'), 401, {
            detail: 'expired',
            code: 'token_expired',
            errors: [],
        });
        const faults = await page.faultsUntil(
            () => renewals,
            (count) => count > 0,
        );
        await page.see('140 of 192 accounts');
        return renewals === 1 ? [] : [`renewed ${renewals} times`, ...faults];
    }),
);

await look(
    'a token that cannot be renewed leads back to signing in',
    forSuppliers,
    { expected: [401] },
    asSupplier(async (page) => {
        await page.page.setRequestInterception(true);
        const instead = (request, status, body) =>
            void request.respond({ status, contentType: 'application/json', body: JSON.stringify(body) });
        page.page.on('request', (request) => {
            if (request.url().endsWith('/v1/graphql/'))
                return instead(request, 200, {
                    errors: [{ message: 'expired', extensions: { code: 'authentication_failed' } }],
                });
            if (request.url().includes('/v1/data-import/'))
                return instead(request, 401, { detail: 'expired', code: 'token_expired', errors: [] });
            return void request.continue();
        });
        await page.see('Your token has ended, or your API key has been revoked. Sign in again.');
    }),
);

await look('what fails is told, and goes on by itself', forOperators, { expected: [503] }, async (page) => {
    await filterSuppliers(page, stage.code);
    await page.see('Nordwind Energie GmbH');
    // answers 503 until the page has shown the failure, because the next good answer would remove the message
    let isSeen = false;
    await answerInstead(
        page,
        (request) => request.url().endsWith('/operator/suppliers/') && !isSeen,
        503,
        { detail: '', code: 'service_unavailable', errors: [] },
        () => isSeen,
    );
    const faults = await page.faultsOfTexts([
        'The service or its database is not available at present.',
        'Not fresh',
        'Nordwind Energie GmbH',
    ]);
    isSeen = true;
    await page.see('Live:', 60_000);
    return faults;
});

await look('the page is as fresh as its oldest figure', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.see('Live:');
    await page.page.waitForSelector('.is-different');
    const isAskedInVain = new Promise((done) => {
        page.page.on('request', (request) => {
            if (request.url().includes('/operator/control-totals/')) done();
            else void request.continue();
        });
    });
    await page.page.setRequestInterception(true);
    await isAskedInVain;
    const asked = await page.page.evaluate(() => new Date().toISOString());
    for (let others = 0; others < 5; others += 1) await page.page.waitForResponse(() => true, { timeout: 60_000 });
    await new Promise((done) => setTimeout(done, 1000)); // until the page shows the last answer
    const shown = await page.page.$eval('.freshness time', (time) => time.dateTime);
    return shown < asked ? [] : [`${shown}, although figures were asked for in vain at ${asked}`];
});

/** Changes the page as a browser's translator does: puts each text into elements of its own. */
const translate = (page) =>
    page.page.evaluate(() => {
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const texts = [];
        while (walk.nextNode()) texts.push(walk.currentNode);
        for (const text of texts.filter((one) => one.data.trim() !== '')) {
            const outer = document.createElement('font');
            const inner = document.createElement('font');
            inner.textContent = text.data;
            outer.append(inner);
            text.replaceWith(outer);
        }
    });

for (const [name, address] of [
    ['operators', forOperators],
    ['suppliers', forSuppliers],
])
    await look(`the page for ${name} asks not to be translated`, address, {}, (page) =>
        page.faultsUntil(
            () => page.page.evaluate(() => [document.documentElement.translate, document.querySelector('meta[name=google]')?.content]),
            ([isTranslated, wish]) => !isTranslated && wish === 'notranslate',
        ),
    );

await look('a page that is translated all the same does not say that it is live', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.see('Live:');
    await translate(page);
    return [
        ...(await page.faultsOfTexts(['Translated', 'figures in it no longer change'])),
        ...((await page.text()).includes('Live:') ? ['it says Live:'] : []),
    ];
});

await look('a page of which a part fails does not say that it is live', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.see('Live:');
    await page.page.evaluate(() => dispatchEvent(new ErrorEvent('error', { error: new Error('of a part') })));
    return [
        ...(await page.faultsOfTexts(['Failed', 'Reload the page.'])),
        ...((await page.text()).includes('Live:') ? ['it says Live:'] : []),
    ];
});

await look('all columns of the suppliers are seen on a small desk', forOperators, {}, async (page) => {
    await page.see('control totals');
    await page.settled();
    await page.page.setViewport({ width: 1024, height: 768 });
    await page.picture('operators-overview-1024');
    return page.faultsUntil(
        () => page.page.$eval('.suppliers', (table) => table.parentElement.scrollWidth - table.parentElement.clientWidth),
        (hidden) => hidden <= 0,
    );
});

const views = [
    ['operators-overview', forOperators, 'Stadtwerke Musterstadt'],
    ['operators-supplier', `${forOperators}${supplierHash}`, 'Failed accounts'],
    ['operators-account', `${forOperators}${accountHash}`, 'Last imports'],
    ['operators-health', `${forOperators}#/health`, 'Payment vendors'],
];
const supplierViews = [
    ['suppliers-overview', '#/', 'of 192 accounts imported', stage.keyOfBoth],
    ['suppliers-supplier', supplierHash, 'Failed accounts'],
    ['suppliers-account', accountHash, 'The account exists on the platform; its records may still be to come.'],
];

/** Faults of the open view in every width and colour scheme. */
async function faultsOfView(page, name) {
    await page.settled();
    const faults = await faultsOfHtml(await page.page.content(), name);
    for (const width of [390, 1440, 1920, 1280])
        faults.push(...(await page.faultsOfWidth(width)), ...(await page.faultsOfBreaks(width)));
    for (const theme of ['light', 'dark']) {
        await page.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        faults.push(...(await page.faultsOfAccess()).map((fault) => `${theme}: ${fault}`));
    }
    for (const [kind, width, theme] of [
        ['telephone', 390, 'light'],
        ['desk', 1440, 'light'],
        ['wall', 1920, 'dark'],
    ]) {
        await page.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        await page.resize(width, width === 390 ? 844 : Math.round(width * 0.6));
        await page.picture(`${name}-${kind}`);
    }
    return faults;
}

for (const [name, address, text] of views) {
    await look(`${name}: widths, colours, access`, address, {}, async (page) => {
        await page.see(text);
        return faultsOfView(page, name);
    });
}
await look('sign-in: widths, colours, access', forSuppliers, {}, async (page) => {
    await page.see('API key of your organisation');
    return faultsOfView(page, 'sign-in');
});
for (const [name, hash, text, key] of supplierViews) {
    await look(
        `${name}: widths, colours, access`,
        forSuppliers,
        { expected: [404] },
        asSupplier(async (page) => {
            await page.go(hash);
            await page.see(text);
            return faultsOfView(page, name);
        }, key),
    );
}

for (const [name, address] of [
    ['suppliers', forSuppliers],
    ['operators', forOperators],
]) {
    await look(`the page for ${name} is HTML`, address, {}, faultsOfSource);
}

/** The page's words for each state of `data-importctl supplier list`, without states that take hours of imports to reach. */
const wordsOfStates = {
    paused: '! paused by ',
    late: '✕ late: planned for ',
    stands_still: '✕ has stood still for ',
    needs_attention: '! needs attention: ',
    no_accounts: '· no accounts yet',
    not_begun: '· not begun',
    running: '✓ running',
    totals_not_declared: '· all accounts imported, no totals declared',
    complete: '· complete, no totals declared',
    complete_with_open_accounts: '! complete by ',
};

/** Makes a supplier for each state that no supplier of the stage has. */
function stageStates() {
    const made = (state, ...accounts) => {
        const code = `${state.toUpperCase()}-${process.pid}`;
        ctl('supplier', 'create', code, '--name', state);
        for (const [number, ...steps] of accounts) {
            ctl('account', 'stage', code, number);
            for (const step of steps) ctl('account', step, code, number);
        }
        return code;
    };
    ctl('supplier', 'set', made('paused', ['1']), '--status', 'Paused');
    ctl('supplier', 'set', made('late', ['1']), '--planned-end', '2024-05-31');
    made('not_begun', ['1']);
    ctl('account', 'fail', made('needs_attention', ['1', 'begin']), '1', '--reason=meter unknown');
    made('running', ['1'], ['2', 'begin', 'complete']);
    const isImported = ['1', 'begin', 'complete'];
    made('totals_not_declared', isImported);
    ctl('supplier', 'set', made('complete', isImported), '--status', 'Complete');
    ctl('supplier', 'set', made('complete_with_open_accounts', ['1']), '--status', 'Complete', '--force');
}

await look('data-importctl tells the states that the page shows', forOperators, {}, async (page) => {
    stageStates();
    const told = JSON.parse(ctl('supplier', 'list', '--json')).filter((one) => one.code.endsWith(`-${process.pid}`));
    // leaves out the state stands_still, because an earlier check makes the supplier with this state, and this earlier check may
    // not have run
    const untold = Object.keys(wordsOfStates).filter((state) => state !== 'stands_still' && !told.some((one) => one.state === state));
    const shown = await page.faultsUntil(
        () =>
            page.page.$$eval('.suppliers tbody tr', (all) =>
                all.map((row) => [row.querySelector('small').textContent, row.children[1].innerText.replaceAll(/\s+/g, ' ')]),
            ),
        (all) => told.every(({ code, state }) => all.some(([of, words]) => of === code && words.startsWith(wordsOfStates[state]))),
    );
    return [...shown, ...untold.map((state) => `no supplier of the state ${state}: ${JSON.stringify(told.map((one) => [one.code, one.state]))}`)];
});

await lookAtActs(look, browser, faultsOfView);

await look(
    'who is revoked is shown the way in',
    forSuppliers,
    { expected: [401] },
    asSupplier(async (page) => {
        ctl('key', 'revoke', String(stage.keyId));
        await page.see('Your token has ended, or your API key has been revoked.', 30_000);
    }),
);

await beside;
await Promise.all([browser.stop(), otherBrowser.stop()]);
checks.finish();
