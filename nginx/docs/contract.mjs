// Writes the contract as a page: node contract.mjs CONTRACT PAGE. The address of section 5.3 is #section-5-3.
import { readFileSync, writeFileSync } from 'node:fs';
import { escape, readerOf, titleOf } from './markdown.mjs';

const [contract, page] = process.argv.slice(2);

const headingOf = (line) => line.match(/^(?<number>[0-9.]*[0-9])\.? (?<title>.*)$/)?.groups;

const anchorOf = (heading) => `section-${headingOf(heading)?.number.replaceAll('.', '-') ?? 'none'}`;

const text = readFileSync(contract, 'utf8');
const content = readerOf({ anchorOf, blocks: 'Example' })
    .parse(text)
    .replace(/^<h1 id="[^"]*">/, '<h1>');

const entries = [...text.matchAll(/^## (.+)$/gm)].map(
    ([, heading]) => `    <li><a href="#${anchorOf(heading)}">${escape(headingOf(heading).title)}</a></li>`,
);
const contents = `<ol>\n${entries.join('\n')}\n</ol>\n`;

writeFileSync(
    page,
    `<!DOCTYPE html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Account data import: ${escape(titleOf(text).toLowerCase())}</title>
    <link rel="icon" type="image/png" href="favicon-32x32.png">
    <link rel="stylesheet" href="docs.css">
    <script src="copy.js" defer></script>
    <script src="search.js" type="module"></script>
</head>
<body>
<main class="guide">
${content.replace('<h2', `${contents}<h2`)}</main>
</body>
</html>
`,
);
