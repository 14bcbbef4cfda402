// Makes the index of the search, which search.js reads: a line for each section, with its page, heading, address and
// words.
import { writeFileSync } from 'node:fs';

const named = { amp: '&', lt: '<', gt: '>', quot: '"' };

const textOf = (html) =>
    html
        .replace(/<\/?(?:a|b|code|em|span|strong|wbr)\b[^>]*>/g, '')
        .replace(/<[^>]*>/g, ' ')
        .replace(/&(?:#(\d+)|(\w+));/g, (form, number, name) => (number ? String.fromCodePoint(number) : (named[name] ?? form)))
        .replace(/\s+/g, ' ')
        .trim();

/** Returns the sections of a page of text. Each begins with a heading that has an id; the first one begins with the page. */
export function sectionsOf(page, address, html) {
    const [main] = html.match(/<main[^]*<\/main>/);
    return main.split(/(?=<h[1-3] id=")/).map((section) => {
        const [, id, heading] = section.match(/<h[1-3](?: id="([^"]*)")?[^>]*>([^]*?)<\/h/) ?? [];
        const isPage = id === undefined || section.startsWith('<h1');
        return {
            page,
            heading: heading === undefined ? page : textOf(heading),
            address: isPage ? address : `${address}#${id}`,
            text: textOf(section.replace(/<h[1-3][^>]*>[^]*?<\/h\d>/, ' ')),
        };
    });
}

const withoutMarks = (markdown) =>
    markdown
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/^\|[-|]+\|$/gm, '')
        .replace(/[`|*]/g, ' ')
        .replace(/\s+/g, ' ')
        .trim();

const page = 'Reference';

/** Makes a section of a chapter; start.js gives its heading the same id. */
const chapterOf = (markdown) => {
    const [heading, ...lines] = markdown.split('\n');
    const id = heading.replaceAll('`', '').toLowerCase().replace(/[^a-z0-9]+/g, '-');
    return { page, heading: withoutMarks(heading), address: `/docs/#${id}`, text: withoutMarks(lines.join('\n')) };
};

function codesOf(description) {
    const rows = [...description.matchAll(/^\|(?: \d+ \|)? `([a-z_]+)` \| (.*) \|$/gm)];
    return rows.map(([, code, text]) => ({
        page: 'Code of errors',
        heading: code,
        address: `/docs/#code-${code.replaceAll('_', '-')}`,
        text: withoutMarks(text),
    }));
}

/** Names and sentences of all fields below a schema. */
function fieldsOf(schema, schemas, seen = new Set()) {
    if (schema === null || typeof schema !== 'object' || seen.has(schema)) return [];
    seen.add(schema);
    const own = Object.entries(schema.properties ?? {}).map(([name, field]) => `${name}: ${field.description ?? ''}`);
    const named = schema.$ref === undefined ? [] : [schemas[schema.$ref.split('/').at(-1)]];
    const below = [...Object.values(schema.properties ?? {}), schema.items, ...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...named];
    return [...own, ...below.flatMap((one) => fieldsOf(one, schemas, seen))];
}

function operationsOf({ paths, components }) {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    return operations.map(({ path, method, operation }) => {
        const { summary = '', description = '', parameters = [], requestBody, operationId, tags } = operation;
        const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsOf(schema, components.schemas));
        const words = [summary, description, ...parameters.map((one) => `${one.name}: ${one.description ?? ''}`), ...bodies];
        return {
            page,
            heading: `${method.toUpperCase()} ${path}`,
            address: `/docs/#/${encodeURIComponent(tags[0])}/${operationId}`,
            text: withoutMarks([...new Set(words)].join(' ')),
        };
    });
}

/** The operations, chapters and codes of an OpenAPI document. */
export function referenceOf(document) {
    const { description } = document.info;
    return [...operationsOf(document), ...description.split(/^## /m).slice(1).map(chapterOf), ...codesOf(description)];
}

/** Writes the index as a program, because the security policy of the pages admits programs of this server. */
export function writeIndex(file, sections) {
    const lines = sections.map((one) => JSON.stringify([one.page, one.heading, one.address, one.text]));
    writeFileSync(file, `export const sections = [\n${lines.join(',\n')}\n];\n`);
}
