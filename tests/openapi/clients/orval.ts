// Imports the book with the functions that orval makes.
import { importBook, mutation, tokenOf, type Outcome, type Refusal } from './book';
import * as api from './generated/orval';

let headers: Record<string, string> = {};

type Good = 200 | 201;
type Result = { status: number; data: unknown };
type AnswerOf<R extends Result> = Extract<R, { status: Good }>['data'];

/** The status tells whether the data is an answer or a refusal; the type of the data alone does not. */
function outcome<R extends Result>(result: R & { data: AnswerOf<R> | Refusal }): Outcome<AnswerOf<R>> {
    const { status, data } = result;
    return status < 300 ? { status, answer: data as AnswerOf<R> } : { status, refusal: data as Refusal };
}

await importBook(
    {
        obtainToken: async (apiKey) => {
            const result = await api.graphql({ query: mutation, variables: { input: { APIKey: apiKey } } });
            if (result.status !== 200) throw new Error(`no token: ${result.status}`);
            return tokenOf(result.data.data);
        },
        participant: async (body) => outcome(await api.marketParticipantImport(body, undefined, { headers })),
        fees: async (body) => outcome(await api.marketParticipantFeesImport(body, undefined, { headers })),
        notes: async (body) => outcome(await api.notesCreate(body, undefined, { headers })),
        transactions: async (body, force) =>
            outcome(await api.transactionsCreate(body, { force_add_to_current_statement: force }, { headers })),
        statements: async (body) => outcome(await api.historicalStatementsCreate(body, undefined, { headers })),
        deliveryNote: async (body) => outcome(await api.deliveryNoteCreate(body, undefined, { headers })),
        energyAmount: async (body) => outcome(await api.energyAmountCreate(body, undefined, { headers })),
        invoice: async (body) => outcome(await api.marketParticipantInvoiceCreate(body, undefined, { headers })),
        instruction: async (body) => outcome(await api.paymentInstructionCreate(body, undefined, { headers })),
        status: async (supplier, account) => outcome(await api.accountTransferStatus(supplier, account, { headers })),
        imported: async (supplier) => outcome(await api.importedAccountImportProcesses(supplier, { headers })),
        progress: async (supplier) => outcome(await api.progress(supplier, { headers })),
    },
    (token) => {
        headers = { Authorization: `Bearer ${token}` };
    },
);
