// Imports the book with the client that @hey-api/openapi-ts makes.
import { baseUrl, importBook, mutation, tokenOf, type Outcome, type Refusal } from './book';
import * as api from './generated/hey';
import { client } from './generated/hey/client.gen';

client.setConfig({ baseUrl });

type Result<Answer> = { data?: Answer; error?: Refusal; response?: Response };

async function outcome<Answer>(result: Promise<Result<Answer>>): Promise<Outcome<Answer>> {
    const { data, error, response } = await result;
    if (response === undefined) throw new Error('no answer');
    if (data !== undefined) return { status: response.status, answer: data };
    if (error === undefined) throw new Error(`nothing in an answer ${response.status}`);
    return { status: response.status, refusal: error };
}

await importBook(
    {
        obtainToken: async (apiKey) => {
            const { data } = await api.graphql({ body: { query: mutation, variables: { input: { APIKey: apiKey } } } });
            return tokenOf(data?.data);
        },
        participant: (body) => outcome(api.marketParticipantImport({ body })),
        fees: (body) => outcome(api.marketParticipantFeesImport({ body })),
        notes: (body) => outcome(api.notesCreate({ body })),
        // `units` is a pair in the types of this client, and a list in the types of the book
        transactions: (body, force) =>
            outcome(
                api.transactionsCreate({
                    body: body as api.TransactionsCreateRequest,
                    query: { force_add_to_current_statement: force },
                }),
            ),
        statements: (body) => outcome(api.historicalStatementsCreate({ body })),
        deliveryNote: (body) => outcome(api.deliveryNoteCreate({ body })),
        energyAmount: (body) => outcome(api.energyAmountCreate({ body })),
        invoice: (body) => outcome(api.marketParticipantInvoiceCreate({ body })),
        instruction: (body) => outcome(api.paymentInstructionCreate({ body })),
        status: (import_supplier, external_account_number) =>
            outcome(api.accountTransferStatus({ path: { import_supplier, external_account_number } })),
        imported: (import_supplier) => outcome(api.importedAccountImportProcesses({ path: { import_supplier } })),
        progress: (import_supplier) => outcome(api.progress({ path: { import_supplier } })),
    },
    (token) => client.setConfig({ auth: token }),
);
