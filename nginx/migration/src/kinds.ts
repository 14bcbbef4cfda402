// The kinds of records, always in the same order.
export const kinds = [
    'notes',
    'transactions',
    'historical_statements',
    'delivery_notes',
    'energy_amounts',
    'market_participant_invoices',
    'payment_instructions',
] as const;
