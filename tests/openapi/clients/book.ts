// A small book of all kinds, imported by each client that is made from the document, and refusals as programs
// handle them. The payloads have the types that openapi-typescript makes; the other generators' types have to
// fit them.
import assert from 'node:assert/strict';
import type { components } from './generated/schema';

export type Schemas = components['schemas'];
export type Refusal = Schemas['Error'] | Schemas['TransactionsCreateAnswer400'];
export type Outcome<Answer> = { status: number; answer: Answer } | { status: number; refusal: Refusal };

/** The operations of a client, which call the functions that its generator has made. */
export interface Importer {
    obtainToken(apiKey: string): Promise<string>;
    participant(body: Schemas['MarketParticipantImportRequest']): Promise<Outcome<Schemas['MarketParticipantImportAnswer201']>>;
    fees(body: Schemas['MarketParticipantFeesImportRequest']): Promise<Outcome<Schemas['MarketParticipantFeesImportAnswer']>>;
    notes(body: Schemas['NotesCreateRequest']): Promise<Outcome<Schemas['NotesCreateAnswer']>>;
    transactions(
        body: Schemas['TransactionsCreateRequest'],
        force: boolean,
    ): Promise<Outcome<Schemas['TransactionsCreateAnswer201']>>;
    statements(body: Schemas['HistoricalStatementsCreateRequest']): Promise<Outcome<Schemas['HistoricalStatementsCreateAnswer']>>;
    deliveryNote(body: Schemas['DeliveryNoteCreateRequest']): Promise<Outcome<Schemas['DeliveryNoteCreateAnswer']>>;
    energyAmount(body: Schemas['EnergyAmountCreateRequest']): Promise<Outcome<Schemas['EnergyAmountCreateAnswer']>>;
    invoice(
        body: Schemas['MarketParticipantInvoiceCreateRequest'],
    ): Promise<Outcome<Schemas['MarketParticipantInvoiceCreateAnswer']>>;
    instruction(
        body: Schemas['PaymentInstructionCreateRequest'],
    ): Promise<Outcome<Schemas['PaymentInstructionCreateAnswer']>>;
    status(supplier: string, account: string): Promise<Outcome<Schemas['AccountTransferStatusAnswer']>>;
    imported(supplier: string): Promise<Outcome<Schemas['ImportedAccountImportProcessesAnswer']>>;
    progress(supplier: string): Promise<Outcome<Schemas['ProgressAnswer']>>;
}

function given(name: string): string {
    const value = process.env[name];
    if (value === undefined) throw new Error(`${name} is not set`);
    return value;
}

export const baseUrl = given('BASE_URL');

function answered<Answer>(outcome: Outcome<Answer>, status: number): Answer {
    assert.equal(outcome.status, status, JSON.stringify(outcome));
    assert.ok('answer' in outcome);
    return outcome.answer;
}

function refused<Answer>(outcome: Outcome<Answer>, status: number): Refusal {
    assert.equal(outcome.status, status, JSON.stringify(outcome));
    assert.ok('refusal' in outcome);
    return outcome.refusal;
}

/** A program's reaction to a refusal. It compiles only if the types have all codes. */
function remedy(refusal: Refusal): 'mend' | 'wait' | 'ask' {
    if (refusal.code !== 'validation_error') return refusal.code === 'throttled' ? 'wait' : 'ask';
    return refusal.errors.every((item) => item.code === 'import_supplier_migration_not_ongoing') ? 'wait' : 'mend';
}

const period = { period_start_at: '2024-01-01T00:00:00+01:00', period_end_at: '2024-02-01T00:00:00+01:00' };
const measured = {
    product_identifier: '1-1:1.29.0',
    product_identifier_type: 'SRW',
    quantity: '245.123000000',
    quantity_unit: 'KWH',
    line_item_identifier: '1',
};
const message = { malo_number: '50812345678', cancelled: false, edifact_reference_number: 'M-42' };

async function importParticipants(importer: Importer): Promise<number> {
    const code = Number(given('PARTICIPANT'));
    const body: Schemas['MarketParticipantImportRequest'] = {
        code, code_type: 'BDEW', name: 'Northern Grid', role: 'NETWORK_OPERATOR', energy: 'ELECTRICITY',
    };
    assert.equal(answered(await importer.participant(body), 201).code, code);
    const prices = [{ article_id: '1-01-6-001', price_cents: '1250.0000' }];
    const sheet = {
        market_participant_code: code, price_sheet_type: 'Z32', document_number: 'PRICAT-1',
        active_from: '2024-01-01T00:00:00+01:00', external_id: 'sheet', article_prices: prices,
    };
    assert.equal(answered(await importer.fees({ price_sheets: [sheet] }), 201).price_sheets_imported, 1);
    return code;
}

type Account = Pick<Schemas['NotesCreateRequest'], 'import_supplier' | 'external_account_number'>;
type Transactions = Schemas['TransactionsCreateRequest']['transactions'];

const transactions: Transactions = [
    { type: 'CHARGE', transaction_id: 'C-1', transaction_date: '2024-05-03', amount: '12.50', reason: 'IMPORTED_CHARGE' },
    { type: 'PAYMENT', transaction_id: 'P-1', transaction_date: '2024-05-15', amount: '80.00' },
    {
        type: 'SUPPLY_CHARGE', transaction_id: 'S-1', transaction_date: '2024-05-31', amount: '71.40', product_code: 'E',
        line_items: [{ start_date: '2024-05-01', end_date: '2024-05-31', number_of_units: '200', net_amount: '60.00' }],
    },
];

async function importTransactions(importer: Importer, account: Account): Promise<void> {
    const { results } = answered(await importer.transactions({ ...account, transactions }, true), 201);
    assert.deepEqual(results.map((result) => result.status), Array(3).fill('TRANSACTION_ADDED_TO_ACCOUNT'));
    for (const { transaction_data: one } of results) {
        assert.equal(typeof one.amount, 'string');
        if (one.type === 'SUPPLY_CHARGE') assert.equal(one.line_items[0]?.end_date, '2024-05-31');
    }
}

async function importInvoice(importer: Importer, account: Account, participant: number): Promise<void> {
    const address = { name: 'Example' };
    const line = {
        position: 1, article: '1-07-1', article_type: 'ARTICLE_ID', quantity: '245.123', quantity_unit: 'KWH', ...period,
        amount_net: 2100, price: '0.085671', tax_rate: '19.0000', tax_rate_type: 'S',
    };
    const tax = { tax_rate: '19.0000', tax_rate_type: 'S', tax_amount_assessment_basis: 2100, tax_amount: 399 };
    const invoice = {
        invoice_type: 'INVOICE', invoice_document_type: 'NETWORK_USAGE', invoice_number: 'R-1', status: 'CLOSED',
        issued_at: '2024-02-05T09:00:00Z', due_at: '2024-02-19T00:00:00Z', malo_number: '50812345678', melo_number: null,
        amount_total: 2499, amount_due: 2499, external_id: 'I-1', sender_id: participant, recipient_id: participant,
        sender_address: address, recipient_address: address, line_items: [line], tax_amounts: [tax],
    };
    const stored = answered(await importer.invoice({ ...account, market_participant_invoice: invoice }), 201);
    assert.equal(stored.market_participant_invoice.amount_total, 2499);
}

async function importAccount(importer: Importer, account: Account, participant: number): Promise<void> {
    const notes = answered(await importer.notes({ ...account, notes: [{ body: 'Hello' }] }), 201);
    assert.equal(notes[0]?.status, 'NOTE_CREATION_SUCCESS');
    await importTransactions(importer, account);
    const statement = { statement_id: 'S-1', bill_period_from_date: '2023-12-01', bill_period_to_date: '2023-12-31', gross_amount: '86.42' };
    answered(await importer.statements({ ...account, statements: [statement] }), 201);
    const note = { ...message, validation_status: true, amounts: [{ ...period, ...measured }] };
    answered(await importer.deliveryNote({ ...account, delivery_note: note }), 201);
    answered(await importer.energyAmount({ ...account, energy_amount: { ...message, ...period, ...measured } }), 201);
    await importInvoice(importer, account, participant);
    const instruction = { vendor: 'NORDPAY', reference: `PI-${account.external_account_number}`, type: 'CARD' };
    answered(await importer.instruction({ ...account, ...instruction }), 201);
}

async function meetRefusals(importer: Importer, account: Account): Promise<void> {
    const unknown = { ...account, external_account_number: 'none' };
    const notFound = refused(await importer.notes({ ...unknown, notes: [{ body: 'Hello' }] }), 404);
    assert.equal(notFound.code, 'account_not_found');
    assert.equal(remedy(notFound), 'ask');

    const empty = refused(await importer.notes({ ...account, notes: [{}] }), 400);
    assert.deepEqual(
        empty.errors.map(({ code, attr }) => [code, attr]),
        [['note_body_or_document_path_not_found', 'notes.0']],
    );
    assert.equal(remedy(empty), 'mend');

    const late: Transactions = [
        { type: 'CREDIT', transaction_id: 'K-1', transaction_date: '2025-01-01', amount: '1', reason: 'IMPORTED_CREDIT' },
    ];
    const outside = refused(await importer.transactions({ ...account, transactions: late }, false), 400);
    assert.ok('transaction_data' in outside);
    assert.deepEqual(outside.transaction_data, late[0]);
    assert.equal(outside.errors[0]?.code, 'transaction_outside_statement_period');

    assert.equal(refused(await importer.progress('NOBODY'), 404).code, 'not_found');
}

/** Imports the book. The first call is made without a token, and must be refused. */
export async function importBook(importer: Importer, useToken: (token: string) => void): Promise<void> {
    const account = { import_supplier: given('SUPPLIER'), external_account_number: given('ACCOUNT') };
    assert.equal(refused(await importer.progress(account.import_supplier), 401).code, 'not_authenticated');
    useToken(await importer.obtainToken(given('KEY')));
    const participant = await importParticipants(importer);
    const state = answered(await importer.status(account.import_supplier, account.external_account_number), 200);
    assert.equal(state.status, 'COMPLETED');
    await importAccount(importer, account, participant);
    await meetRefusals(importer, account);
    const imported = answered(await importer.imported(account.import_supplier), 200);
    assert.ok(imported.some((one) => one.external_account_number === account.external_account_number));
    const { records } = answered(await importer.progress(account.import_supplier), 200);
    assert.ok(records.notes >= 1 && records.transactions >= 3 && records.payment_instructions >= 1);
}

export const mutation = `mutation ($input: ObtainTokenInput!) {
    obtainToken(input: $input) { token expiresIn refreshToken refreshExpiresIn } }`;

export function tokenOf(data: Schemas['GraphqlAnswer200']['data']): string {
    const token = data !== null && data !== undefined && typeof data === 'object' && 'obtainToken' in data ? data.obtainToken : null;
    assert.ok(token !== null && typeof token === 'object' && 'token' in token && typeof token.token === 'string');
    return token.token;
}
