// Looks at the page of migrations as people do: see `check`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { Checks } from './checks.mjs';
import { ctl, prepare } from './stage.mjs';

const { BASE_URL, METRICS_URL } = process.env;
const forSuppliers = `${BASE_URL}/migration/`;
const forOperators = METRICS_URL.replace(/metrics$/, 'migration/');

const wanted = process.argv.slice(2);
const stage = await prepare();
const checks = new Checks('migration', (text) => text.replaceAll(stage.key, '(the key)'));
const browser = await Browser.start();
const supplierHash = `#/supplier/${stage.code}`;
const accountHash = `#/account/${stage.code}/${stage.number(0)}`;
const failedHash = `#/account/${stage.code}/${stage.number(stage.failed)}`;

/** A check with a page of its own; what was noted while it was open is a fault. */
async function look(name, address, options, visit) {
    if (wanted.length > 0 && !wanted.some((one) => name.includes(one))) return;
    await checks.check(name, async () => {
        const faults = [];
        const page = await browser.open(address, options);
        try {
            faults.push(...((await visit(page)) ?? []));
        } catch (failure) {
            faults.push(failure.message);
            await page.picture(`failed-${name.replaceAll(/\W+/g, '-')}`);
        }
        await page.close();
        return [...faults, ...browser.takeFaults()];
    });
}

async function signIn(page, key = stage.key) {
    await page.see('API key of your organisation');
    await page.page.type('#api-key', key);
    await page.page.keyboard.press('Enter');
}

/** The address of a supplier's own page after signing in. */
const asSupplier = (visit) => async (page) => {
    await signIn(page);
    await page.see('Nordwind Energie GmbH');
    return visit(page);
};

const missing = (text, words) =>
    words.filter((word) => !text.includes(word)).map((word) => `no “${word}” in ${text.slice(0, 3000)}`);
const plain = async (page) => (await page.text()).replaceAll(/\s+/g, ' ');

await look('operators see all suppliers', forOperators, {}, async (page) => {
    await page.see('Nordwind Energie GmbH');
    await page.see('Stadtwerke Musterstadt');
    await page.see('Oldest in progress');
    return missing(await plain(page), [
        'of 192 accounts imported',
        '140 imported',
        '5 in progress',
        '9 failed',
        '38 staged',
        stage.number(stage.failed + 9),
    ]);
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
    await page.see('Records by kind');
    await page.page.waitForSelector('.chart canvas');
    await page.see('The meter is not known at the grid operator.');
    await page.see('stuck?');
    await page.see('notes.N.is_pinned');
    const text = await plain(page);
    for (const span of ['Last day', 'All']) {
        await page.click('.choice button', span);
        await page.page.waitForSelector('.chart canvas');
    }
    return missing(text, [
        'Throughput',
        'Refusals',
        'Failed accounts',
        'Accounts in progress',
        'max_decimal_places',
        'notes.N.is_pinned',
        '/create/',
    ]);
});

await look('control totals are green only where they are equal', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.see('Control totals');
    await page.see('-1');
    const verdicts = () =>
        page.page.$$eval('.mark', (marks) => marks.map((mark) => `${mark.className} ${mark.textContent}`));
    const supplier = await verdicts();
    const differences = await page.page.$$eval('.is-different', (rows) => rows.map((row) => row.textContent));
    await page.go('#/');
    await page.see('Undeclared');
    const overview = await page.page.$$eval(
        'article.card',
        (cards, codes) =>
            cards
                .filter((card) => codes.some((code) => card.ariaLabel.includes(`(${code})`)))
                .map((card) => card.querySelector('.mark:not([class*=status])'))
                .map((mark) => `${mark.className} ${mark.textContent}`),
        [stage.code, stage.other],
    );
    return [
        ...(supplier.some((mark) => mark === 'mark different ≠ Different') ? [] : [`supplier: ${supplier}`]),
        ...(differences.length === 3 && differences.some((row) => row.includes('+12.5'))
            ? []
            : [`differences: ${differences}`]),
        ...(overview.length === 2 &&
        overview.every(
            (mark) => mark.startsWith('mark undeclared ? Undeclared') || mark.startsWith('mark different ≠'),
        )
            ? []
            : [`overview: ${overview}`]),
    ];
});

await look('the curve is read by keyboard', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.page.waitForSelector('.chart canvas');
    const at = () => page.page.$eval('.chart .at time', (time) => time.dateTime);
    await page.page.focus('.chart .plot');
    const last = await at();
    await page.page.keyboard.press('ArrowLeft');
    await page.page.keyboard.press('ArrowLeft');
    await new Promise((done) => setTimeout(done, 200));
    const before = await at();
    return Date.parse(last) - Date.parse(before) === 120_000 ? [] : [`from ${last} to ${before}`];
});

await look('tables are saved as files', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.see('Failed accounts');
    await page.page.waitForFunction(() => document.body.innerText.includes('grid operator'));
    const saved = await page.savedBy(() => page.click('button', 'failed accounts'));
    const lines = saved.split('\r\n');
    const wanted = `${stage.number(stage.failed + 2)},No contract for the date of the move.,`;
    return lines[0].endsWith('account,reason,failed') &&
        lines.length === 11 &&
        lines.some((line) => line.startsWith(wanted))
        ? []
        : [saved];
});

await look('explained differences are told', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.see('The charge of May was booked twice, as is known.');
    await page.see('The letter of 2023 is lost.');
    const explained = await page.page.$$eval('.is-different', (rows) =>
        rows.map((row) => row.textContent.includes('explained')),
    );
    return explained.length === 3 && explained.every(Boolean) ? [] : [`explained: ${explained}`];
});

await look('accounts without records are looked for', `${forOperators}${supplierHash}`, {}, async (page) => {
    await page.see('Look for accounts without notes');
    await page.click('button', 'Look for accounts without notes');
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
    await page.click('button', 'Look for accounts without transactions');
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
    const onScreen = await stamp();
    const faults = [...(await page.faultsOfWidth(1280)), ...(await page.faultsOfAccess())];
    await page.picture('report-screen');
    await page.page.emulateMediaType('print');
    const onPaper = await stamp(); // what is fixed is on every page
    await page.page.pdf({ preferCSSPageSize: true, path: `${process.env.PICTURES}/report.pdf` });
    if (!onScreen.startsWith('none')) faults.push(`the stamp is on the screen: ${onScreen}`);
    if (onPaper !== 'block fixed') faults.push(`the stamp on paper: ${onPaper}`);
    return faults;
});

await look('an account is found by its number on the platform', `${forOperators}#/account`, {}, async (page) => {
    const { service_account_number } = JSON.parse(ctl('account', 'show', stage.code, stage.number(0), '--json'));
    await page.page.waitForSelector('select option[value=""]');
    await page.page.type('.search input', service_account_number);
    await page.page.keyboard.press('Enter');
    await page.see('Last imports');
    const hash = await page.page.evaluate(() => location.hash);
    await page.go(`#/search/${stage.number(0)}`);
    await page.see(`Accounts with the number ${stage.number(0)}`);
    await page.page.waitForFunction(
        (codes) => codes.every((code) => [...document.querySelectorAll('td')].some((cell) => cell.innerText === code)),
        {},
        [stage.code, stage.other],
    );
    const faults = await faultsOfView(page, 'operators-found');
    await page.go('#/search/nobody');
    await page.see('No supplier has an account of this number');
    return hash === accountHash ? faults : [hash, ...faults];
});

await look('a request is found by its id', `${forOperators}${accountHash}`, {}, async (page) => {
    await page.see('Last imports');
    await page.click('a[href^="#/request/"]');
    await page.see('Stored');
    await page.see('In the account');
    const text = await plain(page);
    await page.go(supplierHash);
    await page.page.waitForSelector('a[href^="#/request/"]');
    const refused = await page.page.$eval('a[href^="#/request/"]', (link) => link.hash);
    await page.go('#/account');
    await page.page.waitForSelector('.search input');
    await page.page.type('.search input', refused.split('/')[2]);
    await page.page.keyboard.press('Enter');
    await page.see('What it has stored is told beside each account');
    await page.page.waitForFunction(() => document.querySelectorAll('tbody tr').length > 0);
    return [...missing(text, [stage.number(0)]), ...(await faultsOfView(page, 'operators-request'))];
});

// The last hour loses its first minute with each new one: a second note has the whole of a minute before it.
await look('figures follow an import', forOperators, {}, async (page) => {
    const records = () =>
        page.page.evaluate((code) => {
            const card = [...document.querySelectorAll('.card')].find((one) => one.textContent.includes(code));
            return Number((/Last hour([\d,]+) record/.exec(card?.textContent ?? '')?.[1] ?? 'NaN').replaceAll(',', ''));
        }, stage.code);
    const becomes = async (expected) => {
        const began = Date.now();
        while ((await records()) !== expected) {
            if (Date.now() - began > 12_000) return false;
            await new Promise((done) => setTimeout(done, 200));
        }
        return true;
    };
    await page.page.waitForSelector('.card');
    const faults = [];
    for (const note of ['Live', 'Live again']) {
        const before = await records();
        stage.addNote(0, note);
        if (await becomes(before + 1)) return [];
        faults.push(`${before} before, ${await records()} after one more note`);
    }
    return faults;
});

await look('operators see how the service fares', `${forOperators}#/health`, {}, async (page) => {
    await page.see('Workers');
    await page.see('/v1/data-import/notes/create/');
    await page.see('Findings of doctor');
    await page.see('Looked at by');
    return missing(await plain(page), ['✓ up', 'import', 'listing', 'queue p50 up to', 'queue p99 up to', 'p99', 'Payment vendors', 'are right.']);
});

await look('an account is found by its number', `${forOperators}#/account`, {}, async (page) => {
    await page.page.waitForSelector(`select option[value="${stage.code}"]`);
    await page.page.select('select', stage.code);
    await page.page.type('.search input', stage.number(0));
    await page.page.keyboard.press('Enter');
    await page.see('Last imports');
    const text = await plain(page);
    await page.go(failedHash);
    await page.see('The meter is not known at the grid operator.');
    return missing(text, ['imported', 'transactions', 'request id', 'Open statement period']);
});

await look(
    'a number that nobody has is told',
    `${forOperators}#/account/${stage.code}/nobody`,
    { expected: [404] },
    (page) => page.see(`There is no account nobody of ${stage.code}.`),
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
        await page.see('of 192 accounts imported');
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
        await page.see('Control totals');
        await page.see('The meter is not known at the grid operator.');
        await page.see('records per minute');
        await page.see('notes.N.is_pinned');
        const text = await plain(page);
        for (const title of ['Throughput', 'Refusals']) {
            for (const span of ['Last day', 'All']) await seeCurve(page, title, span);
        }
        await page.go(accountHash);
        await page.see('The account has been created on the platform.');
        return missing(text, ['4711-0178', 'historical statements', 'max_decimal_places', 'The value has the wrong JSON type or form.']);
    }),
);

await look(
    'all suppliers of a key are asked for in one request at a time',
    forSuppliers,
    {},
    asSupplier(async (page) => {
        const asked = [];
        page.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
        const seconds = 7;
        await new Promise((done) => setTimeout(done, seconds * 1000));
        const isBounded = asked.length > 0 && asked.length <= Math.ceil(seconds / 2);
        return isBounded && asked.every((path) => path === '/v1/data-import/import-suppliers/') ? [] : asked;
    }),
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

/** Answers the next request that `isMeant` with `body` instead of the server. */
async function answerInstead(page, isMeant, status, body) {
    let isDone = false;
    await page.page.setRequestInterception(true);
    page.page.on('request', (request) => {
        if (isDone || !isMeant(request)) return void request.continue();
        isDone = true;
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
        const began = Date.now();
        while (renewals === 0 && Date.now() - began < 10_000) await new Promise((done) => setTimeout(done, 100));
        await page.see('of 192 accounts imported');
        return renewals === 1 ? [] : [`renewed ${renewals} times`];
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
    await page.see('Nordwind Energie GmbH');
    await answerInstead(page, (request) => request.url().endsWith('/operator/suppliers/'), 503, {
        detail: '',
        code: 'service_unavailable',
        errors: [],
    });
    await page.see('The service or its database is not available at present.');
    await page.see('Not fresh');
    const faults = missing(await plain(page), ['Nordwind Energie GmbH']);
    await page.see('Live:');
    return faults;
});

const views = [
    ['operators-overview', forOperators, 'Stadtwerke Musterstadt'],
    ['operators-supplier', `${forOperators}${supplierHash}`, 'Failed accounts'],
    ['operators-account', `${forOperators}${accountHash}`, 'Last imports'],
    ['operators-search', `${forOperators}#/account`, 'All suppliers'],
    ['operators-health', `${forOperators}#/health`, 'Payment vendors'],
];
const supplierViews = [
    ['suppliers-overview', '#/', 'of 192 accounts imported'],
    ['suppliers-supplier', supplierHash, 'Failed accounts'],
    ['suppliers-account', accountHash, 'The account has been created on the platform.'],
];

/** Every width and colour of a view that is open. */
async function faultsOfView(page, name) {
    const faults = [];
    for (const width of [390, 1920, 1280]) faults.push(...(await page.faultsOfWidth(width)));
    for (const theme of ['light', 'dark']) {
        await page.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        faults.push(...(await page.faultsOfAccess()).map((fault) => `${theme}: ${fault}`));
    }
    for (const [kind, width, theme] of [
        ['telephone', 390, 'light'],
        ['desk', 1280, 'light'],
        ['wall', 1920, 'dark'],
    ]) {
        await page.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        await page.page.setViewport({ width, height: width === 390 ? 844 : Math.round(width * 0.6) });
        await new Promise((done) => setTimeout(done, 500));
        await page.picture(`${name}-${kind}`);
    }
    return faults;
}

for (const [name, address, text] of views) {
    await look(`${name}: widths, colours, access`, address, {}, async (page) => {
        await page.see(text);
        await new Promise((done) => setTimeout(done, 2500));
        return faultsOfView(page, name);
    });
}
await look('sign-in: widths, colours, access', forSuppliers, {}, async (page) => {
    await page.see('API key of your organisation');
    return faultsOfView(page, 'sign-in');
});
for (const [name, hash, text] of supplierViews) {
    await look(
        `${name}: widths, colours, access`,
        forSuppliers,
        { expected: [404] },
        asSupplier(async (page) => {
            await page.go(hash);
            await page.see(text);
            await new Promise((done) => setTimeout(done, 2500));
            return faultsOfView(page, name);
        }),
    );
}

if (existsSync(join(process.env.BUILD, 'docs/index.html'))) {
    await look('documentation: widths, contents, an operation', `${BASE_URL}/docs/`, {}, async (page) => {
        await page.see('Refusals at every address', 60_000);
        await page.see('POST /transactions/create/', 60_000);
        const opened = await page.page.evaluate(async () => {
            const entries = [...document.querySelectorAll('#contents a')];
            entries.find((entry) => entry.textContent === 'POST /transactions/create/').click();
            for (let tries = 0; tries < 50 && !document.querySelector('.opblock.is-open .responses-table'); tries += 1)
                await new Promise((done) => setTimeout(done, 100));
            return document.querySelectorAll('.opblock.is-open').length;
        });
        const faults = opened === 1 ? [] : [`${opened} operations are open`];
        for (const width of [390, 1440]) {
            faults.push(...(await page.faultsOfWidth(width)));
            await page.picture(`documentation-${width}`);
        }
        return faults;
    });
    await look('documentation: a code by its address', `${BASE_URL}/docs/#code-account-not-found`, {}, async (page) => {
        await page.see('Refusals of what was sent', 60_000);
        await new Promise((done) => setTimeout(done, 1000));
        const top = await page.page.evaluate(
            () => document.getElementById('code-account-not-found')?.getBoundingClientRect().top,
        );
        return top >= -1 && top < 200 ? [] : [`the code is ${top} px below the upper edge`];
    });
}

await look(
    'who is revoked is shown the way in',
    forSuppliers,
    { expected: [401] },
    asSupplier(async (page) => {
        ctl('key', 'revoke', String(stage.keyId));
        await page.see('Your token has ended, or your API key has been revoked.', 30_000);
    }),
);

await browser.stop();
checks.finish();
