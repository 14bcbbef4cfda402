// Writes each chapter of the handbook as a page: node pages.mjs CHAPTERS DIRECTORY. The contents beside the text list
// the chapters of index.md, in its order.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { escape, readerOf, titleOf } from './markdown.mjs';

const [chapters, directory] = process.argv.slice(2);

/** As in Markdown: the words of the heading in small letters, with hyphens between them. */
const anchorOf = (heading) =>
    heading
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replace(/ /g, '-');

const pageOf = (link) => link.replace(/^([a-z-]+)\.md(?=#|$)/, '$1.html');

const reader = readerOf({ anchorOf, pageOf, blocks: 'Commands' });

const read = (chapter) => readFileSync(join(chapters, `${chapter}.md`), 'utf8');

const contents = [...read('index').matchAll(/\]\(([a-z-]+)\.md\)/g)].map((match) => match[1]);

const entryOf = (chapter, shown) =>
    `<li><a href="${chapter}.html"${chapter === shown ? ' aria-current="page"' : ''}>${escape(titleOf(read(chapter)))}</a></li>`;

const page = (chapter) => `<!DOCTYPE html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escape(titleOf(read(chapter)))}: data-import</title>
    <link rel="icon" type="image/svg+xml" href="icon.svg">
    <link rel="stylesheet" href="handbook.css">
</head>
<body>
<nav aria-label="Chapters">
<ul>
${['index', ...contents].map((entry) => entryOf(entry, chapter)).join('\n')}
</ul>
</nav>
<main>
${reader.parse(read(chapter))}</main>
</body>
</html>
`;

for (const file of readdirSync(chapters)) {
    const chapter = basename(file, '.md');
    writeFileSync(join(directory, `${chapter}.html`), page(chapter));
}
