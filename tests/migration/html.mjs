// Finds faults in the HTML of a page: violations of the rules of HTML and of accessibility.
import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
    root: true,
    extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
    rules: { 'require-sri': ['error', { target: 'crossorigin' }] }, // files of the same server need no integrity attribute
});

/** `name` names the page in the faults. */
export async function faultsOfHtml(text, name) {
    const { results } = await validator.validateString(text, name);
    return results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line, column }) => `${name}:${line}:${column}: ${ruleId}: ${message}`),
    );
}

/** Faults of the HTML that the server sends for a page, before scripts change it. */
export async function faultsOfSource(page) {
    const address = page.page.url().replace(/#.*/, '');
    return faultsOfHtml(await page.page.evaluate(async (from) => (await fetch(from)).text(), address), address);
}
