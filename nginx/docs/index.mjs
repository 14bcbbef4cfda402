// Writes the index of the pages of a folder: node index.mjs DIRECTORY OPENAPI-DOCUMENT.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceOf, sectionsOf, writeIndex } from './search.mjs';

const [directory, document] = process.argv.slice(2);

const pages = [
    ['Guide', 'guide.html'],
    ['Contract', 'contract.html'],
    ['Client', 'client/index.html'],
    ['data-import-load(1)', 'client/data-import-load.1.html'],
    ['data-import-csv(5)', 'client/data-import-csv.5.html'],
    ['data-import-ndjson(5)', 'client/data-import-ndjson.5.html'],
];

writeIndex(join(directory, 'search-index.js'), [
    ...pages.flatMap(([page, file]) => sectionsOf(page, `/docs/${file}`, readFileSync(join(directory, file), 'utf8'))),
    ...referenceOf(JSON.parse(readFileSync(document, 'utf8'))),
]);
