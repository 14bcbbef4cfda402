// Compares GraphQL answers of this project with those of the reference implementation, and runs published client libraries
// for GraphQL against the service.
//
//     BUILD=... BASE_URL=... API_KEY=... SUPPLIER=... NODE_EXTRA_CA_CERTS=... node check.mjs
//
// Prints what failed, and `N passed, N failed, N skipped` as the last line.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { buildClientSchema, buildSchema, getIntrospectionQuery, lexicographicSortSchema, printSchema } from 'graphql';
import { Checks } from './checks.mjs';
import { clientChecks } from './clients.mjs';
import { readDocuments } from './documents.mjs';
import { differences, referenceAnswer } from './reference.mjs';
import { post } from './service.mjs';

const { BUILD, API_KEY } = process.env;
const file = (name) => new URL(name, import.meta.url);

const checks = new Checks('graphql', (text) => text.replaceAll(API_KEY, 'API_KEY'));

// The objects `sample` and `service` below are for the reference implementation. Each has a schema, and in the member `values`
// what the reference implementation returns for the fields of Query and Mutation. For the program that answers for this project,
// the schema and the values of `sample` stand in tests/graphql/schemas.cc.

const fail = () => {
    throw new Error('This field fails.');
};

const dog = (name) => ({ name, barks: true, color: 'GREEN', weight: 12, owner: { name: 'Ada' }, id: '7' });

const sample = {
    name: 'sample',
    schema: buildSchema(readFileSync(file('sample.graphql'), 'utf8')),
    values: {
        echo: (args) => JSON.stringify(args),
        needs: (args) => JSON.stringify(args),
        dog: dog('Rex'),
        dogs: [dog('Rex'), dog('Bello')],
        cat: { name: 'Tom', lives: 9 },
        fail,
        broken: { barks: true },
        brokenRequired: { barks: true },
        list: [[1, null], null, []],
        number: 25,
        color: 'RED',
        wrong: 'not a number',
        first: 1,
        second: 1,
        once: 1,
    },
};

const service = {
    name: 'service',
    schema: buildSchema(readFileSync(file('service.graphql'), 'utf8')),
    values: {
        apiVersion: '1',
        obtainToken({ input }) {
            if (input.APIKey !== API_KEY || input.refreshToken !== undefined) fail();
            return { token: 't', expiresIn: 3600, refreshToken: 'r', refreshExpiresIn: 604800 };
        },
    },
};

// Returns the answers of the test program to all requests.
function answersOfProgram(requests) {
    const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
    const run = spawnSync(`${BUILD}/tests/graphql-answer`, ['sample'], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
    if (run.status !== 0) throw new Error(`graphql-answer ended with ${run.status ?? run.signal}: ${run.stderr}`);
    return run.stdout.trimEnd().split('\n').map((line) => JSON.parse(line.slice(line.indexOf(' '))));
}

async function compareTable({ name, schema, values }, answers, requests) {
    for (const [index, request] of requests.entries()) {
        await checks.check(`${name}: ${request.name}`, async () =>
            differences(await referenceAnswer(schema, values, request), await answers(request, index)));
    }
}

// --- introspection ---

const introspections = [
    {},
    { descriptions: false },
    { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true },
    { oneOf: true, typeDepth: 15 },
];

// Prints an introspection as a schema. Compare it with the reference's answer to the same query, since the options of the query
// decide what the schema contains.
function printed(introspection) {
    return printSchema(lexicographicSortSchema(buildClientSchema(introspection)));
}

async function faultsOfIntrospection({ schema, values }, answer, options) {
    const request = { query: getIntrospectionQuery(options) };
    const { data, errors } = await answer(request);
    if (errors !== undefined) return [JSON.stringify(errors)];
    const expected = printed((await referenceAnswer(schema, values, request)).data);
    const actual = printed(data);
    return expected === actual ? [] : [`expected:\n${expected}\nfound:\n${actual}`];
}

async function checkIntrospection(subject, answer, optionSets) {
    for (const options of optionSets) {
        await checks.check(`introspection of ${subject.name} with ${JSON.stringify(options)}`, () =>
            faultsOfIntrospection(subject, answer, options));
    }
}

// Checks the clients before the other checks use up the limit on requests. At this limit the client get-graphql-schema fails,
// because it does not wait.
for (const [name, findFaults] of clientChecks) await checks.check(name, findFaults);

const samples = readDocuments(file('sample-documents.txt'), API_KEY);
const sampleAnswers = answersOfProgram(samples);
await compareTable(sample, (_, index) => sampleAnswers[index], samples);
await checkIntrospection(sample, (request) => answersOfProgram([request])[0], introspections);

const answerOfService = async (request) => (await post(request)).body;
await compareTable(service, answerOfService, readDocuments(file('service-documents.txt'), API_KEY));
// Leaves out the descriptions, because the service's schema has them and service.graphql does not.
await checkIntrospection(service, answerOfService, introspections.map((options) => ({ ...options, descriptions: false })));

checks.finish();
