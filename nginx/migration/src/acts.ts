// The acts of a person who has signed in. Each is one act of the service.

export interface Field {
    name: string;
    label: string;
    type: 'text' | 'date' | 'number' | 'numbers' | 'file' | 'flag'; // numbers: of accounts, one a line; file: sent as text
}

export interface Act {
    name: string; // the name in the act's address
    button: string;
    title: string;
    supplier: string | undefined; // undefined: the act is for no supplier, or for all
    body: Record<string, unknown>;
    fields?: Field[];
}

const ofSupplier = (name: string, button: string, title: string, code: string, more: Record<string, unknown> = {}): Act => ({
    name,
    button,
    title,
    supplier: code,
    body: { import_supplier: code, ...more },
});

export const pause = (code: string): Act => ofSupplier('pause', 'Pause', `Pause ${code}`, code);

export const resume = (code: string): Act => ofSupplier('resume', 'Resume', `Resume ${code}`, code);

export const planEnd = (code: string): Act => ({
    ...ofSupplier('planned-end', 'Plan the end', `Plan the end of ${code}`, code),
    fields: [{ name: 'planned_end', label: 'The day by which all is imported', type: 'date' }],
});

export const planNoEnd = (code: string): Act =>
    ofSupplier('planned-end', 'Remove the planned end', `Remove the planned end of ${code}`, code, { planned_end: null });

export const acknowledge = (code: string): Act => ({
    ...ofSupplier('acknowledge', 'Acknowledge', `Acknowledge what failed of ${code}`, code),
    fields: [{ name: 'reason', label: 'Why nobody has to look until there are more', type: 'text' }],
});

export const takeAcknowledgementBack = (code: string): Act =>
    ofSupplier('acknowledge', 'Take it back', `Take the acknowledgement of ${code} back`, code, { off: true });

export const retryAll = (code: string): Act => ofSupplier('retry', 'Stage all again', `Stage failed accounts of ${code} again`, code);

export const retryReason = (code: string, reason: string): Act =>
    ofSupplier('retry', 'Stage these again', `Stage failed accounts of ${code} again`, code, { reason });

export const retryAccounts = (code: string, accounts: string[]): Act =>
    ofSupplier(
        'retry',
        accounts.length === 1 ? 'Stage it again' : `Stage these ${accounts.length} again`,
        `Stage failed accounts of ${code} again`,
        code,
        { accounts },
    );

export const hold = (code: string, number: string): Act =>
    ofSupplier('hold', 'Hold', `Hold ${number}`, code, { external_account_number: number });

export const release = (code: string, number: string): Act =>
    ofSupplier('release', 'Release', `Release ${number}`, code, { external_account_number: number });

const confirm: Field = { name: 'confirm', label: 'How many accounts these are', type: 'number' };

export const resetAccount = (code: string, number: string): Act => ({
    ...ofSupplier('reset', 'Reset', `Take out all records of ${number}`, code, { accounts: [number] }),
    fields: [confirm],
});

export const resetAccounts = (code: string): Act => ({
    ...ofSupplier('reset', 'Reset accounts', `Take out all records of accounts of ${code}`, code),
    fields: [{ name: 'accounts', label: 'Account numbers, one a line', type: 'numbers' }, confirm],
});

export const createSupplier: Act = {
    name: 'create-supplier',
    button: 'Create a supplier',
    title: 'Create an import supplier',
    supplier: undefined,
    body: {},
    fields: [
        { name: 'code', label: 'Code, as the supplier sends it', type: 'text' },
        { name: 'name', label: 'Name', type: 'text' },
    ],
};

export const createKey = (code: string): Act => ({
    name: 'create-key',
    button: 'Create an API key',
    title: `Create an API key for ${code}`,
    supplier: code,
    body: { import_suppliers: [code] },
    fields: [{ name: 'organisation', label: 'Organisation that owns the key', type: 'text' }],
});

export const revokeKey = (code: string, id: string): Act => ({
    name: 'revoke-key',
    button: 'Revoke',
    title: `Revoke API key ${id}`,
    supplier: code,
    body: { id },
});

export const acceptBooked = (code: string, consumer: string): Act => ({
    ...ofSupplier('accept-booked', 'Accept these differences', `Accept what ${consumer} has booked of ${code}`, code, { consumer }),
    fields: [{ name: 'reason', label: 'Why it may have booked other figures', type: 'text' }],
});

export const sign = (code: string): Act => ofSupplier('sign-report', 'Sign the report', `Sign the report on ${code}`, code);

/** Compares accounts with a file. The dry run returns the differences, each of which may get a reason. */
export const reconcile = (code: string): Act => ({
    ...ofSupplier('reconcile', 'Compare with a file', `Compare the accounts of ${code} with a file of the supplier`, code),
    fields: [
        { name: 'totals', label: 'totals.csv of the supplier', type: 'file' },
        { name: 'decimal_comma', label: 'Amounts have a decimal comma', type: 'flag' },
    ],
});
