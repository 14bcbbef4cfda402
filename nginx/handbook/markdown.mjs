// Turns Markdown into HTML: the chapters of the handbook, and nginx/docs/contract.md.
import { Marked } from 'marked';

export const escape = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

export const titleOf = (text) => text.match(/^# (.+)$/m)[1];

const prompt = /^(?:[a-z0-9,]*[#$]|=>) /;

/** Puts lines with the same prompt into one block, so that each block is for one host. */
function blocksOf(lines) {
    const blocks = [];
    for (const line of lines) {
        const [before = ''] = line.match(prompt) ?? [];
        if (blocks.length === 0 || before !== blocks.at(-1).before) blocks.push({ before, lines: [] });
        blocks.at(-1).lines.push(line.slice(before.length));
    }
    return blocks;
}

/** Makes a block of code, which the keyboard reaches because it may scroll; `name` is for people who do not see it. */
function codeOf(name, { before, lines }) {
    const shown = before === '' ? '' : `<span class="prompt">${escape(before)}</span>`;
    const where = /^[a-z0-9]/.test(before) ? `${name} on ${before.slice(0, -2).replaceAll(',', ', ')}` : name;
    return `<pre tabindex="0" role="group" aria-label="${where}"><code>${lines.map((line) => shown + escape(line)).join('\n')}</code></pre>\n`;
}

/** Lets long addresses and paths break after a point or a slash, for phones; names stay whole. */
const breakable = (text) => text.replace(/\S{25,}/g, (word) => word.replace(/[./](?=\w|&#|{)/g, '$&<wbr>'));

const cellOf = (element, html, name) =>
    element === 'th' ? `<th scope="col">${html}</th>` : `<td data-name="${escape(name)}">${html}</td>`;

/**
 * A reader whose `parse` turns Markdown into HTML. `anchorOf` makes the id of a heading from its text, `pageOf` the address
 * from the target of a link. `blocks` is the name that blocks of code have for people who do not see them.
 */
export function readerOf({ anchorOf, pageOf = (target) => target, blocks }) {
    return new Marked({
        renderer: {
            heading({ tokens, depth, text }) {
                const html = this.parser.parseInline(tokens);
                return `<h${depth} id="${anchorOf(text)}">${html.includes('<') ? html : breakable(html)}</h${depth}>\n`;
            },
            codespan: ({ text }) => `<code>${breakable(escape(text))}</code>`,
            link({ href, tokens }) {
                return `<a href="${escape(pageOf(href))}">${this.parser.parseInline(tokens)}</a>`;
            },
            code: ({ text }) => blocksOf(text.split('\n')).map((block) => codeOf(blocks, block)).join(''),
            // adds the name of its column to each cell, because on a small screen each cell becomes a line of its own
            table({ header, rows }) {
                const rowOf = (cells, element) =>
                    `<tr>${cells.map(({ tokens }, place) => cellOf(element, this.parser.parseInline(tokens), header[place].text)).join('')}</tr>\n`;
                const body = rows.map((cells) => rowOf(cells, 'td')).join('');
                return `<table>\n<thead>\n${rowOf(header, 'th')}</thead>\n<tbody>\n${body}</tbody>\n</table>\n`;
            },
        },
    });
}
