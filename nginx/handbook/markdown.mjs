// Markdown as HTML, for the chapters of the handbook and for the contract of the documentation page.
import { Marked } from 'marked';

export const escape = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

export const titleOf = (text) => text.match(/^# (.+)$/m)[1];

/**
 * A reader whose `parse` turns Markdown into HTML. `anchorOf` makes the id of a heading from its text, `pageOf` the address
 * from the target of a link. `blocks` is the name that blocks of code have for people who do not see them.
 */
export function readerOf({ anchorOf, pageOf = (target) => target, blocks }) {
    return new Marked({
        renderer: {
            heading({ tokens, depth, text }) {
                return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
            },
            link({ href, tokens }) {
                return `<a href="${escape(pageOf(href))}">${this.parser.parseInline(tokens)}</a>`;
            },
            // the keyboard reaches text that may scroll
            code: ({ text }) => `<pre tabindex="0" role="group" aria-label="${blocks}"><code>${escape(text)}</code></pre>\n`,
        },
    });
}
