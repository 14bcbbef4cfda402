// Takes README's pictures. Needs a running stack without suppliers (OPERATORS=2 make up), and fills it with believable figures.
// tests/migration/check explains the variables of the environment.
import { join } from 'node:path';
import { ctl, goOn, stageBelievable } from './believable.mjs';
import { Browser } from './browser.mjs';

const address = `${process.env.OPERATORS_URL}migration/`;
const pictures = [
    ['operators', '', 'light', 800],
    ['supplier', '#/supplier/NORDWIND', 'dark', 1500],
];

stageBelievable();
ctl('operator', 'add', 'anna', '--role', 'operator');
const browser = await Browser.start();
const faults = [];
for (const [name, hash, theme, height] of pictures) {
    const page = await browser.open(`${address}${hash}`, { width: 1280, height, theme, person: 'anna' });
    goOn();
    await page.page.waitForSelector(hash === '' ? '.suppliers .spark' : '.chart canvas');
    await page.settled();
    await page.page.reload();
    await page.page.waitForSelector(hash === '' ? '.suppliers .spark' : '.chart canvas');
    await page.settled();
    await page.page.screenshot({ path: join(process.env.PICTURES, `${name}.png`) });
    await page.close();
    faults.push(...page.faults);
}
await browser.stop();
if (faults.length > 0) throw new Error(faults.join('\n'));
