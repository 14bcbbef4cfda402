// Writes manual pages as HTML: node man.mjs DIRECTORY PAGE .... Understands only the few requests of troff that
// data-import-manual uses in its pages.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { escape } from './markdown.mjs';

const [directory, ...pages] = process.argv.slice(2);

const characters = { '\\e': '\\', '\\-': '-', '\\(dq': '"', '\\(aq': "'", '\\(ga': '`', '\\(ha': '^', '\\(ti': '~', '\\&': '' };
const plain = (text) => text.replace(/\\\((?:dq|aq|ga|ha|ti)|\\[e&-]/g, (one) => characters[one]);
const names = new Set(pages.map((page) => basename(page)));

// names of other pages become links to them
const linked = (text) =>
    escape(plain(text)).replace(/([a-z-]+)\((\d)\)/g, (form, name, section) =>
        names.has(`${name}.${section}`) ? `<a href="${name}.${section}.html">${form}</a>` : form,
    );

function htmlOf(source) {
    const html = [];
    let list = false;
    let example;
    const end = () => {
        if (list) html.push('</dl>');
        list = false;
    };
    const lines = source.trimEnd().split('\n').slice(1);
    for (let at = 0; at < lines.length; at++) {
        const line = lines[at];
        const heading = line.match(/^\.S([HS]) "(.*)"$/);
        if (heading) {
            end();
            const level = heading[1] === 'H' ? 'h2' : 'h3';
            const id = plain(heading[2]).toLowerCase().replace(/[^a-z0-9]+/g, '-');
            html.push(`<${level} id="${id}">${escape(plain(heading[2]))}</${level}>`);
        } else if (line === '.TP') {
            if (!list) html.push('<dl>');
            list = true;
            const term = lines[++at].replace(/^\\fB(.*)\\fR$/, '$1');
            html.push(`<dt>${escape(plain(term))}</dt>`, `<dd>${linked(lines[++at])}</dd>`);
        } else if (line === '.nf') {
            example = [];
        } else if (line === '.fi') {
            html.push(`<pre tabindex="0" role="group" aria-label="Example"><code>${escape(example.join('\n'))}</code></pre>`);
            example = undefined;
        } else if (example) {
            example.push(plain(line));
        } else if (line.startsWith('.')) {
            end(); // all other requests of troff in these pages (.PP, .RS, .RE) begin or end a paragraph or an indent
        } else {
            html.push(`<p>${linked(line)}</p>`);
        }
    }
    end();
    return html.join('\n');
}

for (const page of pages) {
    const name = basename(page).replace(/\.(\d)$/, '($1)');
    writeFileSync(
        join(directory, `${basename(page)}.html`),
        `<!DOCTYPE html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${name}</title>
    <link rel="icon" type="image/png" href="../favicon-32x32.png">
    <link rel="stylesheet" href="../docs.css">
    <script src="../copy.js" defer></script>
    <script src="../search.js" type="module"></script>
</head>
<body>
<main class="guide">
<p><a href="./">The client</a></p>
<h1>${name}</h1>
${htmlOf(readFileSync(page, 'utf8'))}
</main>
</body>
</html>
`,
    );
}
