// Lets published client libraries for GraphQL obtain a token with an API key, get a second token with the refresh token, and use
// the first and the second token. Also tests the rules of GraphQL over HTTP (draft) for answers.
import { Client, fetchExchange, gql as urqlDocument } from '@urql/core';
import { buildClientSchema, buildSchema, introspectionFromSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { GraphQLClient, gql } from 'graphql-request';
import { faultsOfToken, patientFetch, pause, post, url } from './service.mjs';

const { API_KEY } = process.env;

const obtain = `
    mutation Obtain($input: ObtainTokenInput!) {
        obtainToken(input: $input) { token expiresIn refreshToken refreshExpiresIn }
    }`;

function faultsOfLifetimes({ expiresIn, refreshExpiresIn }) {
    const right = expiresIn > 0 && refreshExpiresIn > expiresIn;
    return right ? [] : [`lifetimes are ${expiresIn} and ${refreshExpiresIn}`];
}

// Obtains a token with the API key and a second token with the refresh token, tries both tokens, and returns the faults found.
// `ask` takes the input of the mutation obtainToken, lets the client library send this mutation, and returns its payload.
async function faultsOfClient(name, ask) {
    const first = await ask({ APIKey: API_KEY });
    const second = await ask({ refreshToken: first.refreshToken });
    return [
        ...faultsOfLifetimes(first),
        ...faultsOfLifetimes(second),
        ...(await faultsOfToken(first.token, `by ${name}`)),
        ...(await faultsOfToken(second.token, `by ${name}, refreshed`)),
    ];
}

function faultsOfGraphqlRequest() {
    const client = new GraphQLClient(url, { fetch: patientFetch });
    const ask = async (input) => (await client.request(gql`${obtain}`, { input })).obtainToken;
    return faultsOfClient('graphql-request', ask);
}

function faultsOfUrql() {
    const client = new Client({ url, exchanges: [fetchExchange], fetch: patientFetch, preferGetMethod: false });
    const ask = async (input) => {
        const { data, error } = await client.mutation(urqlDocument(obtain), { input }).toPromise();
        if (error !== undefined) throw error;
        return data.obtainToken;
    };
    return faultsOfClient('urql', ask);
}

async function faultsOfRefusal() {
    const client = new GraphQLClient(url, { fetch: patientFetch });
    try {
        await client.request(gql`${obtain}`, { input: { APIKey: 'wrong' } });
    } catch ({ response }) {
        const { message, path, extensions } = response.errors[0];
        const right = extensions.code === 'authentication_failed' && path.join() === 'obtainToken' && message !== '';
        return right ? [] : [JSON.stringify(response)];
    }
    return ['a wrong API key was taken'];
}

// Tests get-graphql-schema, which sends requests as GraphQL implementations of 2018 did.
async function faultsOfSchemaDownload() {
    const undescribed = (text) => {
        const introspection = introspectionFromSchema(buildSchema(text), { descriptions: false });
        return printSchema(lexicographicSortSchema(buildClientSchema(introspection)));
    };
    const program = new URL('node_modules/get-graphql-schema/dist/index.js', import.meta.url).pathname;
    // The program fails if it reaches the limit on requests. So post() waits until the limit allows one request, and after one
    // more second the limit allows the few requests of the program.
    await post({ query: '{ apiVersion }' });
    await pause(1);
    const { stdout } = await promisify(execFile)(process.execPath, [program, url]);
    const expected = undescribed(readFileSync(new URL('service.graphql', import.meta.url), 'utf8'));
    const actual = undescribed(stdout);
    return actual === expected ? [] : [`expected:\n${expected}\nfound:\n${actual}`];
}

// Accept, query, expected status, expected media type (GraphQL over HTTP, section 6.4).
const negotiations = [
    ['application/json', '{ apiVersion }', 200, 'application/json'],
    ['application/json', '{ nothing }', 200, 'application/json'],
    ['application/json', '{', 200, 'application/json'],
    ['application/graphql-response+json', '{ apiVersion }', 200, 'application/graphql-response+json'],
    ['application/graphql-response+json', '{ nothing }', 400, 'application/graphql-response+json'],
    ['application/graphql-response+json', '{', 400, 'application/graphql-response+json'],
    ['application/graphql-response+json', 'mutation { obtainToken(input: {}) { token } }', 200, 'application/graphql-response+json'],
    ['*/*', '{ nothing }', 200, 'application/json'],
];

async function faultsOfNegotiation() {
    const faults = [];
    for (const [accept, query, status, type] of negotiations) {
        const answer = await post({ query }, accept);
        if (answer.status !== status || !answer.type.startsWith(type))
            faults.push(`${accept} and ${query}: ${answer.status} ${answer.type}, not ${status} ${type}`);
    }
    return faults;
}

async function faultsOfBatch() {
    const query = `mutation { a: obtainToken(input: {APIKey: "${API_KEY}"}) { token } b: obtainToken(input: {APIKey: "x"}) { token } }`;
    const { body } = await post({ query });
    const right = body.data === undefined && /once in a request/.test(body.errors[0].message);
    return right ? [] : [JSON.stringify(body)];
}

export const clientChecks = [
    ['graphql-request obtains and refreshes tokens', faultsOfGraphqlRequest],
    ['graphql-request sees why a key is refused', faultsOfRefusal],
    ['urql obtains and refreshes tokens', faultsOfUrql],
    ['get-graphql-schema downloads the schema', faultsOfSchemaDownload],
    ['status and media type follow Accept', faultsOfNegotiation],
    ['keys cannot be tried in a batch', faultsOfBatch],
];
