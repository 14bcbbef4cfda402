// Checks the pages of text as a reader sees them: the handbook, the reference and the documents for suppliers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { faultsOfHtml, faultsOfSource } from './html.mjs';

const { BASE_URL, BUILD, METRICS_URL } = process.env;

/** A fault if a page does not have exactly one main part. */
const faultsOfMain = (page) =>
    page.faultsUntil(
        () => page.page.$$eval('main, [role=main]', (parts) => parts.length),
        (count) => count === 1,
    );

/** A fault if the text of the reference does not begin at the same edge as its headings. */
const faultsOfEdge = (page) =>
    page.page.evaluate(() => {
        const edge = (one) => one.getBoundingClientRect().left;
        const headings = [...document.querySelectorAll('.information-container h2:not(.title)')];
        return headings
            .filter((one) => one.nextElementSibling?.matches('p') && Math.abs(edge(one) - edge(one.nextElementSibling)) > 1)
            .map((one) => `the text below “${one.textContent}” begins at ${edge(one.nextElementSibling)}, not ${edge(one)}`);
    });

/** Searches a page of text by keyboard alone. */
async function find(page, words) {
    await page.page.waitForSelector('form.search input');
    await page.page.evaluate(() => document.activeElement.blur());
    await page.page.keyboard.press('/');
    await page.page.keyboard.type(words);
    await page.page.waitForSelector('.places a');
}

/** Buttons that cover a line of their block. */
const faultsOfButtons = (page) =>
    page.page.evaluate(() =>
        [...document.querySelectorAll('.copyable')]
            .filter((one) => one.querySelector('button').getBoundingClientRect().bottom > one.querySelector('pre').getBoundingClientRect().top + 1)
            .map((one) => `the button covers ${one.textContent.slice(0, 60)}`),
    );

/** The text that the button of a block copies. */
async function blockCopied(page, text) {
    await page.page.evaluate((wanted) => {
        document.querySelector('#wanted')?.removeAttribute('id');
        const frame = [...document.querySelectorAll('.copyable')].find((one) => one.textContent.includes(wanted));
        frame.querySelector('button').id = 'wanted';
    }, text);
    return page.copiedBy('#wanted');
}

const widths = [320, 390, 1024, 1440];

/**
 * Faults of an open page of text in every width and colour scheme. Colours do not change with the width, and other faults of access
 * do not change with the colours. So access is judged on a telephone and a desk in light colours, and on a desk in dark ones.
 */
async function faultsOfDocument(page, name) {
    const faults = [];
    for (const width of widths) faults.push(...(await page.faultsOfWidth(width)), ...(await faultsOfButtons(page)));
    for (const [width, theme] of [[390, 'light'], [1440, 'light'], [1440, 'dark']]) {
        await page.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        await page.resize(width);
        faults.push(...(await page.faultsOfAccess()).map((fault) => `${width} px, ${theme}: ${fault}`));
        await page.picture(`${name}-${width}-${theme}`);
    }
    return faults;
}

async function lookAtHandbook(look) {
    const handbook = METRICS_URL.replace(/metrics$/, 'handbook/');
    await look('handbook: widths, breaks, text spacing, colours, keyboard, access', `${handbook}several-hosts.html`, {}, async (page) => {
        await page.see('Several hosts');
        // the test itself fetches the page's source, because the content security policy lets the page send no requests
        const source = await (await fetch(page.page.url())).text();
        const faults = [...(await faultsOfHtml(source, 'several-hosts.html')), ...(await faultsOfMain(page))];
        faults.push(...(await faultsOfDocument(page, 'handbook')));
        await page.spaceText();
        return [...faults, ...(await page.faultsOfWidth(390)), ...(await page.faultsOfScrolling())];
    });
    await look('handbook: commands are copied without prompts, those of a host alone', `${handbook}several-hosts.html`, {}, async (page) => {
        const copied = await blockCopied(page, 'db1# patronictl -c /etc/patroni/config.yml edit-config');
        const isRight = /^patronictl [^\n]*edit-config[^\n]*\npatronictl [^\n]*restart[^\n]*\n$/.test(copied);
        const installed = await blockCopied(page, 'host2# rm /etc/data-import/keys');
        return [
            ...(isRight ? [] : [`copied: ${copied}`]),
            ...(installed === 'rm /etc/data-import/keys/*.key\n' ? [] : [`copied for host2: ${installed}`]),
        ];
    });
    await look('handbook: contents of a chapter, beside it or above it', `${handbook}operation.html`, {}, async (page) => {
        const faults = [];
        for (const [width, shown, hidden] of [[1440, '#contents', '.here'], [390, '.here', '#contents li']]) {
            await page.page.setViewport({ width, height: 900 });
            const seen = (place) =>
                page.page.$eval(`${place} a[href="#watching-a-migration"]`, (link) => link.getClientRects().length > 0);
            if (!(await seen(shown))) faults.push(`at ${width} px there are no contents`);
            if (await seen(hidden)) faults.push(`at ${width} px there are contents twice`);
        }
        return faults;
    });
    await look('handbook: all pages are searched by keyboard', `${handbook}operation.html`, {}, async (page) => {
        await find(page, 'drain');
        await page.page.keyboard.press('ArrowDown');
        const first = await page.page.evaluate(() => document.activeElement.getAttribute('href'));
        const faults = /^\/handbook\/[a-z-]+\.html#/.test(first) ? [] : [`the first place is ${first}`];
        await page.page.keyboard.press('Escape');
        if (await page.page.$('.places a')) faults.push('Escape leaves places');
        for (const [words, address] of [
            ['account_not_found', '/docs/#code-account-not-found'],
            ['5.4 transactions', '/docs/contract.html#section-5-4'],
            ['sign-off', '/docs/guide.html#sign-off'],
        ]) {
            await page.page.$eval('form.search input', (field) => (field.value = ''));
            await find(page, words);
            const missed = await page.faultsUntil(
                () => page.page.$$eval('.places a', (links) => links.map((link) => link.getAttribute('href'))),
                (places) => places.includes(address),
            );
            faults.push(...missed.map((fault) => `“${words}” does not find ${address}: ${fault}`));
        }
        faults.push(...(await page.faultsOfAccess()));
        await page.page.keyboard.press('Enter');
        await page.see('Sign-off');
        return faults;
    });
}

async function lookAtDocumentation(look) {
    const documentation = `${BASE_URL}/docs/`;
    await look('documentation: widths, contents, an operation, access', documentation, {}, async (page) => {
        await page.see('Refusals at every address', 60_000);
        await page.see('POST /transactions/create/', 60_000);
        const faults = [...(await faultsOfSource(page)), ...(await faultsOfMain(page))];
        faults.push(...(await page.faultsOfAccess()).map((fault) => `closed: ${fault}`));
        await page.click('#contents a', 'POST /transactions/create/');
        await page.page.waitForSelector('.opblock.is-open .responses-table');
        const opened = await page.page.$$eval('.opblock.is-open', (operations) => operations.length);
        if (opened !== 1) faults.push(`${opened} operations are open`);
        faults.push(...(await page.faultsOfAccess()).map((fault) => `open: ${fault}`));
        for (const width of [320, 390, 1024, 1440]) {
            faults.push(...(await page.faultsOfWidth(width)), ...(await faultsOfEdge(page)));
            await page.picture(`documentation-${width}`);
        }
        return faults;
    });
    await look('documentation: a place found opens', documentation, {}, async (page) => {
        await page.see('POST /transactions/create/', 60_000);
        await find(page, 'POST transactions create');
        await page.click('.places a', 'POST /v1/data-import/transactions/create/Reference');
        await page.page.waitForSelector('#operations-Account_data-transactions_create.is-open .responses-table');
        return page.faultsUntil(() => page.page.$$eval('.places a', (places) => places.length), (count) => count === 0);
    });
    await look('documentation: a code by its address', `${documentation}#code-account-not-found`, {}, async (page) => {
        await page.see('Refusals of what was sent', 60_000);
        return page.faultsUntil(
            () =>
                page.page.evaluate(() => document.getElementById('code-account-not-found')?.getBoundingClientRect().top),
            (top) => top >= -1 && top < 200,
        );
    });
    const operation = 'operations-Account_data-transactions_create';
    for (const address of ['#/Account%20data/transactions_create', `#${operation}`]) {
        await look(`documentation: an operation by its address ${address}, dark`, documentation + address, {}, async (page) => {
            await page.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
            await page.see('Refusals at every address', 60_000);
            await page.page.waitForSelector(`#${operation}.is-open .responses-table`, { timeout: 60_000 });
            await page.picture('documentation-dark');
            return page.faultsUntil(
                () => page.page.evaluate(() => getComputedStyle(document.body).backgroundColor),
                (colour) => colour === 'rgb(20, 25, 31)',
            );
        });
    }
    for (const [name, address, text, expected] of [
        ['guide', 'guide.html', 'A migration step by step', []],
        ['contract', 'contract.html', 'Order of the checks', []],
        ['client', 'client/', 'Examples for a client of your own', [404]], // 404: SHA256SUMS, which the page asks for, is in another package
        ['manual', 'client/data-import-load.1.html', 'A COMPLETE SESSION', []],
    ]) {
        await look(`${name}: names stay whole on a telephone`, documentation + address, { expected }, async (page) => {
            await page.see(text);
            return page.faultsOfBreaks(390, String.raw`\w+`);
        });
        await look(`${name}: widths, text spacing, colours, keyboard, access`, documentation + address, { expected }, async (page) => {
            await page.see(text);
            const faults = [...(await faultsOfSource(page)), ...(await faultsOfMain(page))];
            faults.push(...(await faultsOfDocument(page, name)));
            await page.spaceText();
            for (const width of widths) faults.push(...(await page.faultsOfWidth(width)).map((fault) => `with text spacing: ${fault}`));
            await page.picture(`${name}-spaced`);
            return [...faults, ...(await page.faultsOfScrolling())];
        });
    }
}

/** Checks the pages that the build has made. */
export async function lookAtDocuments(look) {
    if (existsSync(join(BUILD, 'handbook/index.html'))) await lookAtHandbook(look);
    if (existsSync(join(BUILD, 'docs/index.html'))) await lookAtDocumentation(look);
}
