// Measures the page of migrations with a large migration in a headless Chromium: how long each view takes until it is complete
// (pages), or what it costs to leave the view open (polling). The script large-migration starts it.
import { readFileSync, readdirSync } from 'node:fs';
import { Browser } from './browser.mjs';

const { API_KEY_FILE, BASE_URL, METRICS_URL, MASTER_PID, NGINX_PID, POSTGRES_PID, ONE, SUPPLIERS, SECONDS_PER_ROW } = process.env;
const [mode] = process.argv.slice(2);
const ticks = 100; // clock ticks per second in /proc
const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

// `isThere` says whether a view shows its data.
const views = [
    { who: 'operators', name: 'all suppliers', hash: '/', isThere: (count) => document.querySelectorAll('.card').length === count },
    {
        who: 'operators',
        name: 'a supplier',
        hash: `/supplier/${ONE}`,
        isThere: () =>
            document.querySelectorAll('.tiles').length > 0 &&
            ['Failed accounts', 'Accounts in progress'].every((title) => document.body.innerText.includes(title)) &&
            document.body.innerText.includes('4711-0'),
    },
    {
        who: 'operators',
        name: 'an account',
        hash: `/account/${ONE}/4711-0000001`,
        isThere: () => document.body.innerText.includes('In this state since'),
    },
    { who: 'operators', name: 'health', hash: '/health', isThere: () => document.body.innerText.includes('Workers') },
    { who: 'supplier', name: 'all suppliers', hash: '/', isThere: (count) => document.querySelectorAll('.card').length === count },
    {
        who: 'supplier',
        name: 'a supplier',
        hash: `/supplier/${ONE}`,
        isThere: () => document.querySelectorAll('.tiles').length > 0 && document.body.innerText.includes('4711-0'),
    },
];

/** CPU seconds of processes and their descendants, including descendants that have ended. */
function cpuOf(roots) {
    const processes = new Map();
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
            const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
            processes.set(pid, { parent: fields[1], ticks: fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0) });
        } catch {
            // the process has ended meanwhile
        }
    }
    const belongs = (pid) => roots.includes(pid) || (processes.has(pid) && belongs(processes.get(pid).parent));
    return [...processes].filter(([pid]) => belongs(pid)).reduce((sum, [, one]) => sum + one.ticks, 0) / ticks;
}

const cpu = () => ({ service: cpuOf([MASTER_PID, NGINX_PID]), postgresql: cpuOf([POSTGRES_PID]) });

let requests = 0;

async function share(name) {
    requests = 0;
    const before = cpu();
    const began = performance.now();
    await pause(Number(SECONDS_PER_ROW));
    const seconds = (performance.now() - began) / 1000;
    const after = cpu();
    const percent = (part) => ((100 * (after[part] - before[part])) / seconds).toFixed(2);
    console.log(
        `${name.padEnd(40)} % of a core: service and nginx ${percent('service')}, PostgreSQL ${percent('postgresql')}; ` +
            `${(requests / seconds).toFixed(2)} requests/s`,
    );
}

const browser = await Browser.start();
const pages = {
    operators: await browser.open(METRICS_URL.replace('127.0.0.1', 'localhost').replace(/metrics$/, 'migration/')),
    supplier: await browser.open(`${BASE_URL}/migration/`),
};
for (const { page } of Object.values(pages))
    page.on('request', () => {
        requests += 1;
    });
const signIn = async ({ page }) => {
    await page.waitForSelector('input[type=password]');
    await page.type('input[type=password]', readFileSync(API_KEY_FILE, 'utf8').trim());
    await page.keyboard.press('Enter');
};
await signIn(pages.supplier);
await pages.supplier.see('Supplier 1');
await pages.operators.see('Supplier 1');

// `elsewhere` is the address of a view without data. The browser opens this view before each measurement, so that the measured
// view begins empty.
const elsewhere = '/account';
async function show({ who, hash, isThere }) {
    const { page } = pages[who];
    await pages[who].go(elsewhere);
    await pause(0.3);
    const began = performance.now();
    await pages[who].go(hash);
    await page.waitForFunction(isThere, { timeout: 60_000, polling: 'raf' }, Number(SUPPLIERS));
    return performance.now() - began;
}
if (mode === 'pages') {
    for (const view of views) {
        const times = [];
        for (let round = 0; round < 5; round += 1) times.push((await show(view)).toFixed(0));
        console.log(`${`${view.who}: ${view.name}`.padEnd(40)} ms: ${times.join(' ')}`);
    }
} else {
    for (const who of Object.keys(pages)) await pages[who].page.goto('about:blank');
    await share('nobody looks');
    const addresses = { operators: METRICS_URL.replace('127.0.0.1', 'localhost').replace(/metrics$/, 'migration/') };
    for (const view of views) {
        const open = pages[view.who];
        await open.page.bringToFront();
        if (view.who === 'operators') {
            await open.page.goto(`${addresses.operators}#${view.hash}`);
        } else {
            if (open.page.url() === 'about:blank') {
                await open.page.goto(`${BASE_URL}/migration/`);
                await signIn(open);
            }
            await open.go(view.hash);
        }
        await open.page.waitForFunction(view.isThere, { timeout: 60_000, polling: 'raf' }, Number(SUPPLIERS));
        await share(`${view.who}: ${view.name}`);
        if (view.who === 'operators') await open.page.goto('about:blank');
    }
}
await browser.stop();
