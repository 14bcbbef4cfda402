// Checks the OpenAPI document of a running service. Compares the document with answers of the service, which tests
// have recorded. Uses public programs, which know nothing of this project.
//
//     node check.mjs DOCUMENT ANSWERS SOURCES
//
// DOCUMENT is a file with the answer to `GET /v1/openapi.json`. ANSWERS is a file with a JSON object in each line: method,
// path, request (the text of the body), status, answer (the text of the body). SOURCES is the folder with the hand-written files
// of the clients that clients.mjs tests. Prints what failed, and `N passed, N failed, N skipped` as the last line.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { Checks } from './checks.mjs';
import { Clients } from './clients.mjs';

const [documentFile, answersFile, sources] = process.argv.slice(2);
const text = readFileSync(documentFile, 'utf8');
const description = JSON.parse(text);
const methods = ['get', 'post', 'put', 'patch', 'delete'];

const checks = new Checks('openapi');

async function faultsOfMetaSchema() {
    const result = await new Validator().validate(JSON.parse(text));
    return result.valid ? [] : [JSON.stringify(result.errors)];
}

// Exceptions from Redocly's rules: those that contradict the contract or have no use here are changed or off. All others apply.
const mediaTypes = ['application/json', 'application/x-ndjson', 'application/graphql-response+json'];
const redoclyExceptions = {
    'request-mime-type': { severity: 'error', allowedValues: mediaTypes },
    'response-mime-type': { severity: 'error', allowedValues: mediaTypes },
    'no-http-verbs-in-paths': { severity: 'error', splitIntoWords: true }, // else it would find `put` in `throughput`
    'no-path-trailing-slash': 'off', // paths end with a slash by contract
    'path-segment-plural': 'off', // the contract sets the addresses
    'boolean-parameter-prefixes': 'off', // the contract sets the names of parameters
    'operation-4xx-problem-details-rfc7807': 'off', // the contract sets the shape of errors
    'tags-alphabetical': 'off', // tags stand in the order in which suppliers need them
    'info-license-url': 'off', // a license with an SPDX identifier must not have a url
    'scalar-property-missing-example': 'off', // examples show whole bodies, whose values fit together
    'no-required-schema-properties-undefined': 'off', // an `anyOf` that requires one of several fields has no `properties`
    'required-string-property-missing-min-length': 'off', // a pattern or a list of values is stricter
};

async function faultsOfRedocly() {
    const config = await createConfig({ extends: ['all'], rules: redoclyExceptions });
    const problems = await lintFromString({ source: text, absoluteRef: documentFile, config });
    return problems.map((problem) => `${problem.ruleId}: ${problem.message} at ${problem.location[0]?.pointer}`);
}

const spectralExceptions = {
    'path-keys-no-trailing-slash': 'off', // paths end with a slash by contract
    'openapi-tags-alphabetical': 'off', // tags stand in the order in which suppliers need them
    'license-url': 'off', // the license has an SPDX identifier
    'contact-properties': 'off', // each installation has its own operator
};

async function faultsOfSpectral() {
    const linter = new spectral.Spectral();
    linter.setRuleset({ extends: [[rulesets.oas, 'all']], rules: spectralExceptions });
    const problems = await linter.run(JSON.parse(text));
    return problems.map((problem) => `${problem.code}: ${problem.message} at ${problem.path.join('/')}`);
}

// Returns the schema, changed so that it refuses unknown fields. The document allows them, because later versions may add fields
// to answers; but a field that a test finds today must be documented.
function closed(value) {
    if (Array.isArray(value)) return value.map(closed);
    if (value === null || typeof value !== 'object') return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
    const isObject = copy.type === 'object' || (Array.isArray(copy.type) && copy.type.includes('object'));
    if (isObject && typeof copy.properties === 'object') copy.additionalProperties ??= false;
    return copy;
}

const validators = new Ajv2020({ allErrors: true, strict: false, validateFormats: true });
addFormats.default(validators);
validators.addFormat('int64', true);
const exact = structuredClone(description);
exact.components.schemas = closed(exact.components.schemas);
validators.addSchema(exact, 'openapi', undefined, false);

const escaped = (key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

// The media type of a body: application/json if that is allowed, else the only type that is, such as application/x-ndjson.
const mediaType = (content) => ('application/json' in content ? 'application/json' : Object.keys(content)[0]);

// Returns a reference to the schema of the body at `keys` of the document; undefined if it has none.
function schemaReference(keys) {
    let node = description;
    let place = [];
    for (const step of [...keys, 'content', mediaType, 'schema']) {
        if (node?.$ref !== undefined) {
            place = node.$ref.slice(2).split('/');
            node = place.reduce((value, part) => value[part], description);
        }
        const key = step === mediaType && node !== undefined ? mediaType(node) : step;
        node = node?.[key];
        place.push(key);
    }
    return node === undefined ? undefined : `openapi#/${place.map(escaped).join('/')}`;
}

function faultsOf(reference, value) {
    const validate = validators.getSchema(reference) ?? validators.compile({ $ref: reference });
    if (validate(value)) return [];
    return validate.errors.map((error) => `${error.instancePath || '/'} ${error.message} ${JSON.stringify(error.params)}`);
}

function operations() {
    const found = [];
    for (const [path, item] of Object.entries(description.paths)) {
        for (const method of methods) {
            if (item[method] !== undefined) found.push({ path, method, operation: item[method] });
        }
    }
    return found;
}

function faultsOfExamples({ path, method, operation }) {
    const faults = [];
    const content = operation.requestBody?.content[mediaType(operation.requestBody.content)];
    if (content !== undefined) {
        if (content.example === undefined) faults.push('no example of a request');
        faults.push(...faultsOf(schemaReference(['paths', path, method, 'requestBody']), content.example));
    }
    for (const status of Object.keys(operation.responses)) {
        if (status === '304') continue; // an answer without a body
        const keys = ['paths', path, method, 'responses', status];
        const reference = schemaReference(keys);
        if (reference === undefined) faults.push(`no schema of the body of ${status}`);
        if (status >= '300' || status === 'default') continue;
        for (const body of Object.values(operation.responses[status].content)) {
            if (body.example === undefined) faults.push(`no example of ${status}`);
            faults.push(...faultsOf(reference, body.example));
        }
    }
    for (const [name, response] of Object.entries(description.components.responses)) {
        const examples = response.content['application/json'].examples ?? {};
        for (const { value } of Object.values(examples)) {
            faults.push(...faultsOf(schemaReference(['components', 'responses', name]), value));
        }
    }
    return faults;
}

// Returns a schema in which decimals must be texts. The examples must fit it, because developers copy them, and many languages
// cannot hold a decimal as a number.
function withDecimalsAsStrings(value) {
    if (Array.isArray(value)) return value.map(withDecimalsAsStrings);
    if (value === null || typeof value !== 'object') return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withDecimalsAsStrings(member)]));
    const isDecimal = Array.isArray(copy.type) && copy.type.includes('number') && 'exclusiveMaximum' in copy;
    if (isDecimal) copy.type = copy.type.filter((type) => type !== 'number');
    return copy;
}

function faultsOfDecimals() {
    const strings = new Ajv2020({ allErrors: true, strict: false });
    strings.addFormat('int64', true);
    for (const format of ['date', 'date-time', 'email']) strings.addFormat(format, true);
    strings.addSchema(withDecimalsAsStrings(description), 'openapi', undefined, false);
    return operations().flatMap(({ path, method, operation }) => {
        const content = operation.requestBody?.content['application/json'];
        if (content === undefined) return [];
        const validate = strings.compile({ $ref: schemaReference(['paths', path, method, 'requestBody']) });
        return validate(content.example) ? [] : [`${path}: ${JSON.stringify(validate.errors)}`];
    });
}

const patterns = operations().map(({ path, method }) => ({
    path,
    method,
    expression: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]*\}/g, '[^/]+')}$`),
}));

function operationOf({ method, path }) {
    const bare = path.split('?')[0];
    return patterns.find((one) => one.method === method.toLowerCase() && one.expression.test(bare));
}

const parsed = (body) => {
    try {
        return JSON.parse(body);
    } catch {
        return undefined;
    }
};

// Codes of faults in requests that a JSON schema can describe, such as a missing field.
const sayable = [
    'required',
    'null',
    'blank',
    'empty',
    'unknown_field',
    'max_length',
    'max_items',
    'max_value',
    'min_value',
    'invalid_document_path',
    'note_body_or_document_path_not_found',
    'line_item_units_must_be_two_values',
];

// True if a schema can describe the fault of an error item. A schema cannot describe these faults:
//  - a declaration of control totals has no figure (each object in the declaration may be empty, but not all of them)
//  - a GraphQL request has no query (the request may name a persisted query instead)
//  - a number exceeds 64 bits (the schema has this limit only as `format: int64`, and JavaScript's numbers are not exact there)
//  - a header field is wrong (header fields are no part of the body)
const isSayable = ({ code, attr, detail }) =>
    sayable.includes(code) &&
    !(code === 'required' && ['', 'query'].includes(attr)) &&
    attr !== 'Idempotency-Key' &&
    !detail.includes('9223372036854775');

// Returns what is wrong in the document, as far as `exchange`, a request with its answer, shows it. The document has to allow
// each request that the service accepts, and to refuse each request that the service refuses, as far as a schema can do so.
function faultsOfRequest(exchange, { path, method }) {
    const reference = schemaReference(['paths', path, method, 'requestBody']);
    const request = parsed(exchange.request);
    if (reference === undefined || request === undefined) return [];
    if (exchange.status < 300) return faultsOf(reference, request).map((fault) => `request: ${fault}`);
    const items = exchange.status === 400 ? (parsed(exchange.answer)?.errors ?? []) : [];
    const isRefused = !exchange.path.includes('?') && items.some(isSayable);
    if (!isRefused || faultsOf(reference, request).length > 0) return [];
    return [`the document accepts what is refused: ${exchange.request.slice(0, 500)}`];
}

function faultsOfExchange(exchange, operation) {
    const { path, method } = operation;
    const status = String(exchange.status);
    const responses = description.paths[path][method].responses;
    const listed = status in responses || exchange.status < 400 ? status : 'default';
    const reference = schemaReference(['paths', path, method, 'responses', listed]);
    if (reference === undefined) return [`status ${status} is not documented`];
    const body = parsed(exchange.answer);
    if (body === undefined) return ['the answer is no JSON'];
    return [...faultsOf(reference, body), ...faultsOfRequest(exchange, operation)];
}

// Groups the exchanges by operation and status, for one check each. Exchanges at addresses without an operation are one group,
// whose answers only need the shape that all errors have.
function exchangesByKind() {
    const kinds = new Map();
    const lines = existsSync(answersFile) ? readFileSync(answersFile, 'utf8').split('\n') : [];
    for (const line of lines.filter((one) => one !== '')) {
        const exchange = JSON.parse(line);
        const operation = operationOf(exchange);
        const name = operation === undefined ? 'other addresses' : `${operation.method} ${operation.path} ${exchange.status}`;
        if (!kinds.has(name)) kinds.set(name, []);
        kinds.get(name).push({ exchange, operation });
    }
    return kinds;
}

function faultsOfKind(members) {
    const faults = [];
    for (const { exchange, operation } of members) {
        const found = operation === undefined
            ? faultsOf('openapi#/components/schemas/Error', parsed(exchange.answer))
            : faultsOfExchange(exchange, operation);
        faults.push(...found.map((fault) => `${fault} in ${exchange.answer.slice(0, 300)}`));
    }
    return faults;
}

await checks.check('the document is valid by the meta schema of OpenAPI 3.1', faultsOfMetaSchema);
await checks.check('Redocly has nothing to say', faultsOfRedocly);
await checks.check('Spectral has nothing to say', faultsOfSpectral);
for (const one of operations()) {
    await checks.check(`examples of ${one.method} ${one.path}`, () => faultsOfExamples(one));
}
for (const [name, members] of exchangesByKind()) await checks.check(`answers of ${name}`, () => faultsOfKind(members));

await checks.check('examples send decimals as strings', faultsOfDecimals);

const clients = new Clients(fileURLToPath(new URL('.', import.meta.url)), sources);
await checks.check('clients are made', () => clients.faultsOfGenerators(documentFile));
await checks.check('every value has a type', () => clients.faultsOfTypes());
await checks.check('clients compile', () => clients.faultsOfCompiler());
for (const name of ['fetch', 'hey', 'orval']) {
    await checks.check(`a book by the client ${name}`, () => clients.faultsOfClient(name));
}

checks.finish();
