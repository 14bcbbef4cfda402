// Writes each chapter of the handbook as a page, and a search index of the chapters and of the pages of /docs/: node pages.mjs
// CHAPTERS DIRECTORY INDEX-OF-DOCS. The table of contents beside the text shows the chapters in the order of index.md.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { escape, readerOf, titleOf } from './markdown.mjs';
import { sectionsOf, writeIndex } from './search.mjs';

const [chapters, directory, docs] = process.argv.slice(2);

/** Returns the id of a heading as Markdown makes it: its words in small letters, with hyphens between them. */
const anchorOf = (heading) =>
    heading
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replace(/ /g, '-');

const pageOf = (link) => link.replace(/^([a-z-]+)\.md(?=#|$)/, '$1.html');

const reader = readerOf({ anchorOf, pageOf, blocks: 'Commands' });

const read = (chapter) => readFileSync(join(chapters, `${chapter}.md`), 'utf8');

const contents = [...read('index').matchAll(/\]\(([a-z-]+)\.md\)/g)].map((match) => match[1]);

const sectionsOfChapter = (chapter) =>
    [...read(chapter).matchAll(/^## (.+)$/gm)].map(([, heading]) => `<li><a href="#${anchorOf(heading)}">${escape(heading)}</a></li>`);

const listOf = (items) => (items.length === 0 ? '' : `\n<ul>\n${items.join('\n')}\n</ul>\n`);

const entryOf = (chapter, shown) =>
    chapter === shown
        ? `<li><a href="${chapter}.html" aria-current="page">${escape(titleOf(read(chapter)))}</a>${listOf(sectionsOfChapter(chapter))}</li>`
        : `<li><a href="${chapter}.html">${escape(titleOf(read(chapter)))}</a></li>`;

/** On a small screen the contents of a chapter stand above its text. */
const withContents = (chapter) => {
    const sections = sectionsOfChapter(chapter);
    const html = reader.parse(read(chapter));
    if (sections.length < 2) return html;
    return html.replace('</h1>\n', `</h1>\n<nav class="here" aria-label="In this chapter">${listOf(sections)}</nav>\n`);
};

const page = (chapter) => `<!DOCTYPE html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escape(titleOf(read(chapter)))}: data-import</title>
    <link rel="icon" type="image/svg+xml" href="icon.svg">
    <link rel="stylesheet" href="docs.css">
    <script src="copy.js" defer></script>
    <script src="search.js" type="module"></script>
</head>
<body class="beside">
<nav id="contents" aria-label="Chapters">
<ul>
${['index', ...contents].map((entry) => entryOf(entry, chapter)).join('\n')}
</ul>
</nav>
<main class="guide">
${withContents(chapter)}</main>
</body>
</html>
`;

const pages = readdirSync(chapters).map((file) => {
    const chapter = basename(file, '.md');
    return { chapter, html: page(chapter) };
});
for (const { chapter, html } of pages) writeFileSync(join(directory, `${chapter}.html`), html);

const { sections } = await import(pathToFileURL(docs));
writeIndex(join(directory, 'search-index.js'), [
    ...pages.flatMap(({ chapter, html }) => sectionsOf(`Handbook: ${titleOf(read(chapter))}`, `/handbook/${chapter}.html`, html)),
    ...sections.map(([page, heading, address, text]) => ({ page, heading, address, text })),
]);
