// A headless Chromium that notes what must not happen: errors, violations of the policy, requests to other hosts.
import puppeteer from 'puppeteer-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { CHROMIUM, PICTURES } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const patience = 15_000;

export class Browser {
    #browser;
    /** What was noted since the last `takeFaults`. */
    #faults = [];

    static async start() {
        const browser = new Browser();
        browser.#browser = await puppeteer.launch({
            executablePath: CHROMIUM,
            acceptInsecureCerts: true, // the stack has an authority of its own
            // everything runs as root in a container, which has no sandbox and little shared memory
            args: [
                '--no-sandbox',
                '--disable-dev-shm-usage',
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

    takeFaults() {
        return this.#faults.splice(0);
    }

    /** A page of its own context. `expected`: statuses of answers that are no fault. */
    async open(address, { width = 1280, height = 900, theme = 'light', expected = [] } = {}) {
        const context = await this.#browser.createBrowserContext();
        const page = await context.newPage();
        const { origin } = new URL(address);
        page.setDefaultTimeout(patience);
        await page.setViewport({ width, height });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        page.on('console', (message) => {
            if (!['error', 'warn', 'assert'].includes(message.type())) return;
            const isAnswer =
                message.text().startsWith('Failed to load resource') &&
                expected.some((status) => message.text().includes(String(status)));
            if (!isAnswer) this.#faults.push(`console: ${message.text()}`);
        });
        page.on('pageerror', (error) => this.#faults.push(`error: ${error.message}`));
        page.on('request', (request) => {
            const url = request.url();
            if (url !== address && !url.startsWith(origin) && !url.startsWith('blob:') && !url.startsWith('data:'))
                this.#faults.push(`asked elsewhere: ${url}`);
        });
        await page.evaluateOnNewDocument(() => {
            globalThis.violations = [];
            document.addEventListener('securitypolicyviolation', (event) => {
                globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
            });
        });
        await page.goto(address, { waitUntil: 'load' });
        return new Page(page, this.#faults);
    }
}

class Page {
    constructor(page, faults) {
        this.page = page;
        this.faults = faults;
    }

    text() {
        return this.page.evaluate(() => document.body.innerText);
    }

    /** Waits for a text; says what was there instead. */
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

    async go(hash) {
        await this.page.evaluate((next) => {
            location.hash = next;
        }, hash);
    }

    async click(selector, text) {
        await this.page.evaluate(
            (wanted, words) => {
                const found = [...document.querySelectorAll(wanted)].find(
                    (one) => words === undefined || one.textContent.includes(words),
                );
                if (found === undefined) throw new Error(`there is no ${wanted} with ${words}`);
                found.click();
            },
            selector,
            text,
        );
    }

    async picture(name) {
        await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
    }

    /** How far one could scroll sideways. */
    async faultsOfWidth(width) {
        await this.page.setViewport({ width, height: 900 });
        await new Promise((done) => setTimeout(done, 300));
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

    /** What the next file that is saved holds. */
    async savedBy(action) {
        await this.page.evaluate(() => {
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
