// A headless Chromium that notes faults: errors, violations of the content security policy, requests to other hosts.
import puppeteer from 'puppeteer-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { CHROMIUM, PICTURES } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const patience = 60_000; // a loaded machine takes long

export class Browser {
    #browser;

    static async start() {
        const browser = new Browser();
        browser.#browser = await puppeteer.launch({
            executablePath: CHROMIUM,
            acceptInsecureCerts: true, // the stack has a certificate authority of its own
            // the tests run as root in a container, in which Chromium has no sandbox and little shared memory
            args: [
                '--no-sandbox',
                '--disable-dev-shm-usage',
                '--disable-gpu', // without it, the emulation of a GPU takes a sixth of the processor time
                '--no-proxy-server',
                '--disable-background-networking',
                '--lang=en-GB',
            ],
            env: { ...process.env, TZ: 'Europe/Berlin' },
        });
        return browser;
    }

    stop() {
        return this.#browser.close();
    }

    /** A page of its own context. `expected`: statuses of answers that are no fault; `person`: signs in, with the name as password. */
    async open(address, { width = 1280, height = 900, theme = 'light', expected = [], person } = {}) {
        const context = await this.#browser.createBrowserContext();
        const page = await context.newPage();
        const faults = [];
        const { origin } = new URL(address);
        page.setDefaultTimeout(patience);
        await page.setViewport({ width, height });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        page.on('console', (message) => {
            if (!['error', 'warn', 'assert'].includes(message.type())) return;
            const isAnswer =
                message.text().startsWith('Failed to load resource') &&
                expected.some((status) => message.text().includes(String(status)));
            if (!isAnswer) faults.push(`console: ${message.text()}`);
        });
        page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
        page.on('request', (request) => {
            const url = request.url();
            if (url !== address && !url.startsWith(origin) && !url.startsWith('blob:') && !url.startsWith('data:'))
                faults.push(`asked elsewhere: ${url}`);
        });
        await page.evaluateOnNewDocument(() => {
            globalThis.violations = [];
            document.addEventListener('securitypolicyviolation', (event) => {
                globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
            });
        });
        if (person !== undefined) await page.setExtraHTTPHeaders({ Authorization: `Basic ${btoa(`${person}:${person}`)}` });
        await page.goto(address, { waitUntil: 'load' });
        return new Page(page, faults);
    }
}

class Page {
    /** `faults`: those noted since the page was opened. */
    constructor(page, faults) {
        this.page = page;
        this.faults = faults;
    }

    text() {
        return this.page.evaluate(() => document.body.innerText);
    }

    /** Waits until the page has a text. If the text does not come, throws an error with the text of the page. */
    async see(text, timeout = patience) {
        try {
            await this.page.waitForFunction(
                (wanted) => document.body.innerText.replaceAll(/\s+/g, ' ').includes(wanted),
                { timeout, polling: 100 },
                text,
            );
        } catch {
            throw new Error(`“${text}” is not seen: ${(await this.text()).replaceAll(/\s+/g, ' ').slice(0, 1500)}`);
        }
    }

    /**
     * Reads the page repeatedly until the result is right, since a page shows its data when they arrive. A reading that fails
     * is not right. Returns the faults: none, or the last result.
     */
    async faultsUntil(read, isRight, limit = patience) {
        const end = Date.now() + limit;
        for (;;) {
            let found;
            try {
                const value = await read();
                if (isRight(value)) return [];
                found = typeof value === 'string' ? value : JSON.stringify(value);
            } catch (failure) {
                found = failure.message;
            }
            if (Date.now() >= end) return [`still after ${limit} ms: ${found.slice(0, 3000)}`];
            await new Promise((done) => setTimeout(done, 100));
        }
    }

    /** Waits until all of these texts are there at the same time. */
    async faultsOfTexts(words) {
        let missing = [];
        const faults = await this.faultsUntil(
            async () => (await this.text()).replaceAll(/\s+/g, ' '),
            (text) => {
                missing = words.filter((word) => !text.includes(word));
                return missing.length === 0;
            },
        );
        return faults.map((fault) => `no “${missing.join('”, “')}”: ${fault}`);
    }

    /** Waits until every part of a view has come, and nothing moves. */
    async settled() {
        await this.page.waitForFunction(
            () => document.querySelector('.waiting') === null && document.getAnimations().every((one) => one.playState !== 'running'),
            { polling: 100 },
        );
    }

    /** Makes the page ask for all its figures at once, as when somebody comes back to its tab. */
    async comeBack() {
        await this.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    }

    /** Gives the page another width, and waits until it has drawn itself anew. */
    async resize(width, height = 900) {
        await this.page.setViewport({ width, height });
        await this.page.evaluate(
            () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
        );
        await this.settled();
    }

    async go(hash) {
        await this.page.evaluate((next) => {
            location.hash = next;
        }, hash);
    }

    /** Clicks an element as soon as the page has it. */
    async click(selector, text) {
        const faults = await this.faultsUntil(
            () =>
                this.page.evaluate(
                    (wanted, words) => {
                        const found = [...document.querySelectorAll(wanted)].find(
                            (one) => !one.disabled && (words === undefined || one.textContent.includes(words)),
                        );
                        found?.click();
                        return found !== undefined;
                    },
                    selector,
                    text,
                ),
            Boolean,
        );
        if (faults.length > 0) throw new Error(`there is no ${selector} with ${text}`);
    }

    /** The text of the clipboard after a click on the first button that matches. The browser copies only after a real click. */
    async copiedBy(selector) {
        const context = this.page.browserContext();
        await context.overridePermissions(new URL(this.page.url()).origin, ['clipboard-read', 'clipboard-sanitized-write']);
        await this.page.evaluate(() => navigator.clipboard.writeText(''));
        await this.page.click(selector);
        let copied = '';
        await this.faultsUntil(
            () => this.page.evaluate(() => navigator.clipboard.readText()),
            (text) => (copied = text) !== '',
        );
        return copied;
    }

    async picture(name) {
        await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
    }

    /** A fault if the page at this width can be scrolled sideways. */
    async faultsOfWidth(width) {
        await this.resize(width);
        const wider = await this.page.evaluate(() => {
            const room = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= room) return [];
            return [...document.querySelectorAll('body *')]
                .filter((one) => one.getBoundingClientRect().right > room + 1)
                .slice(0, 5)
                .map(
                    (one) => `${one.tagName}.${one.getAttribute('class')} ends at ${one.getBoundingClientRect().right}`,
                );
        });
        return wider.map((one) => `at ${width} px: ${one}`);
    }

    /** Words that are broken between two lines although they are not long. `word` is a regular expression. */
    async faultsOfBreaks(width, word = String.raw`\S+`) {
        await this.resize(width);
        const broken = await this.page.evaluate((form) => {
            const longest = 24;
            const found = [];
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                const text = texts.currentNode;
                for (const { 0: word, index } of text.data.matchAll(new RegExp(form, 'g'))) {
                    if (word.length > longest) continue;
                    const range = document.createRange();
                    range.setStart(text, index);
                    range.setEnd(text, index + word.length);
                    const tops = [...range.getClientRects()].map((one) => one.top);
                    if (tops.some((top) => top > tops[0] + 3)) found.push(`“${word}” in ${text.parentElement.outerHTML.slice(0, 200)}`);
                }
            }
            return found.slice(0, 8);
        }, word);
        return broken.map((one) => `at ${width} px: a line ends within ${one}`);
    }

    /** Sets the space between lines, paragraphs, letters and words that readers may ask for: WCAG 2.2, 1.4.12. */
    async spaceText() {
        await this.page.evaluate(() => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(
                `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
                 p { margin-bottom: 2em !important; }`,
            );
            document.adoptedStyleSheets = [sheet];
        });
    }

    /** Elements that scroll and are not reached by keyboard. */
    async faultsOfScrolling() {
        await this.page.setViewport({ width: 320, height: 900 });
        return this.page.evaluate(() =>
            [...document.querySelectorAll('body *')]
                .filter((one) => one.scrollWidth > one.clientWidth && ['auto', 'scroll'].includes(getComputedStyle(one).overflowX))
                .filter((one) => one.tabIndex < 0 || !one.hasAttribute('aria-label'))
                .map((one) => `not reached by keyboard, or without a name: ${one.outerHTML.slice(0, 100)}`),
        );
    }

    async faultsOfAccess() {
        await this.page.evaluate(axe);
        const { violations } = await this.page.evaluate(() =>
            globalThis.axe.run(document, { resultTypes: ['violations'] }),
        );
        return violations
            .filter((one) => one.impact === 'serious' || one.impact === 'critical')
            .map(
                (one) =>
                    `${one.id}: ${one.help}: ${one.nodes
                        .slice(0, 3)
                        .map((node) => `${node.html.slice(0, 200)} (${node.any[0]?.message ?? ''})`)
                        .join('; ')}`,
            );
    }

    /** Does `action` and returns the content of the file that it saves. */
    async savedBy(action) {
        await this.page.evaluate(() => {
            globalThis.saved = undefined;
            const make = URL.createObjectURL.bind(URL);
            URL.createObjectURL = (blob) => {
                globalThis.saved = blob.text();
                return make(blob);
            };
        });
        await action();
        await this.page.waitForFunction(() => globalThis.saved !== undefined);
        return this.page.evaluate(() => globalThis.saved);
    }

    async close() {
        const violations = await this.page.evaluate(() => globalThis.violations);
        this.faults.push(...violations.map((one) => `policy: ${one}`));
        await this.page.browserContext().close();
    }
}
