// Imports the book with openapi-fetch, with the types of openapi-typescript.
import createClient from 'openapi-fetch';
import { baseUrl, importBook, mutation, tokenOf, type Outcome, type Refusal } from './book';
import type { paths } from './generated/schema';

const client = createClient<paths>({ baseUrl });

type Result<Answer> = { data?: Answer; error?: Refusal; response: Response };

async function outcome<Answer>(result: Promise<Result<Answer>>): Promise<Outcome<Answer>> {
    const { data, error, response } = await result;
    if (data !== undefined) return { status: response.status, answer: data };
    if (error === undefined) throw new Error(`nothing in an answer ${response.status}`);
    return { status: response.status, refusal: error };
}

await importBook(
    {
        obtainToken: async (apiKey) => {
            const body = { query: mutation, variables: { input: { APIKey: apiKey } } };
            const { data } = await client.POST('/v1/graphql/', { body });
            return tokenOf(data?.data);
        },
        participant: (body) => outcome(client.POST('/v1/data-import/market-participant/import/', { body })),
        fees: (body) => outcome(client.POST('/v1/data-import/market-participant-fees/import/', { body })),
        notes: (body) => outcome(client.POST('/v1/data-import/notes/create/', { body })),
        transactions: (body, force) => {
            const params = { query: { force_add_to_current_statement: force } };
            return outcome(client.POST('/v1/data-import/transactions/create/', { body, params }));
        },
        statements: (body) => outcome(client.POST('/v1/data-import/historical-statements/create/', { body })),
        deliveryNote: (body) => outcome(client.POST('/v1/data-import/delivery-note/create/', { body })),
        energyAmount: (body) => outcome(client.POST('/v1/data-import/energy-amount/create/', { body })),
        invoice: (body) => outcome(client.POST('/v1/data-import/market-participant-invoice/create/', { body })),
        instruction: (body) => outcome(client.POST('/v1/data-import/payment-instruction/create/', { body })),
        status: (import_supplier, external_account_number) => {
            const params = { path: { import_supplier, external_account_number } };
            const path = '/v1/data-import/account-transfer-status/{import_supplier}/{external_account_number}/';
            return outcome(client.GET(path, { params }));
        },
        imported: (import_supplier) => {
            const params = { path: { import_supplier } };
            return outcome(client.GET('/v1/data-import/imported-account-import-processes/{import_supplier}/', { params }));
        },
        progress: (import_supplier) => {
            const params = { path: { import_supplier } };
            return outcome(client.GET('/v1/data-import/progress/{import_supplier}/', { params }));
        },
    },
    // `void`, because set() returns a value in Node 18, which the client would take for another request
    (token) => client.use({ onRequest: ({ request }) => void request.headers.set('Authorization', `Bearer ${token}`) }),
);
