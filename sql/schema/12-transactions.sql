-- Financial transactions of accounts (contract, sections 4.5 and 5.4).

-- An account may have the same transaction several times, because clients may ask to add it again. The column `copy` holds 1 for
-- the first of these transactions, 2 for the second, and so on.

CREATE TABLE data_import.financial_transaction (
    account_key                uuid NOT NULL,
    transaction_id             text COLLATE "C" NOT NULL,
    copy                       integer NOT NULL CONSTRAINT copies_count_from_1 CHECK (copy > 0),
    type                       text NOT NULL
                               CONSTRAINT transaction_type_is_known
                               CHECK (type IN ('CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE')),
    transaction_date           date NOT NULL,
    requested_transaction_date date,
    has_tax_items              boolean NOT NULL,
    amount                     numeric NOT NULL,
    note                       text,
    reason                     text,
    reference                  text,
    payment_type               text,
    product_code               text,
    display_note               text,
    description                text,
    LIKE data_import.provenance INCLUDING DEFAULTS INCLUDING COMMENTS,
    PRIMARY KEY (account_key, transaction_id, copy),
    CONSTRAINT moved_transactions_are_described CHECK ((description IS NULL) = (requested_transaction_date IS NULL))
);
COMMENT ON TABLE data_import.financial_transaction IS 'Imported financial transactions (contract, section 4.5).';
COMMENT ON COLUMN data_import.financial_transaction.account_key IS 'The account.';
COMMENT ON COLUMN data_import.financial_transaction.transaction_id IS 'Identifier in the supplier''s system.';
COMMENT ON COLUMN data_import.financial_transaction.copy IS
    '1 for the first of this account and transaction_id; more where a client had it added again.';
COMMENT ON COLUMN data_import.financial_transaction.type IS 'Kind of the transaction; decides which other columns it has.';
COMMENT ON COLUMN data_import.financial_transaction.transaction_date IS
    'Day of the transaction, inside the statement period that was open at its import.';
COMMENT ON COLUMN data_import.financial_transaction.has_tax_items IS
    'Whether tax_items were sent; its rows are in transaction_tax_item, none for an empty array.';
COMMENT ON COLUMN data_import.financial_transaction.requested_transaction_date IS
    'The date that was sent, where it lay outside that period and was changed; null where it was taken.';
COMMENT ON COLUMN data_import.financial_transaction.amount IS 'Amount of money, at most two decimal places.';
COMMENT ON COLUMN data_import.financial_transaction.note IS 'Internal note.';
COMMENT ON COLUMN data_import.financial_transaction.reason IS 'Code of the reason; never of a SUPPLY_CHARGE.';
COMMENT ON COLUMN data_import.financial_transaction.reference IS 'Reference of a payment or repayment.';
COMMENT ON COLUMN data_import.financial_transaction.payment_type IS 'Code of how a payment or repayment was made.';
COMMENT ON COLUMN data_import.financial_transaction.product_code IS 'Product of a SUPPLY_CHARGE.';
COMMENT ON COLUMN data_import.financial_transaction.display_note IS 'Note that the customer reads.';
COMMENT ON COLUMN data_import.financial_transaction.description IS
    'Which date was asked for, which was taken and why; null where the date was not changed.';

CREATE TABLE data_import.transaction_line_item (
    account_key     uuid NOT NULL,
    transaction_id  text COLLATE "C" NOT NULL,
    copy            integer NOT NULL,
    position        integer NOT NULL,
    rate_band       text,
    start_date      date NOT NULL,
    end_date        date NOT NULL,
    number_of_units numeric NOT NULL,
    net_amount      numeric NOT NULL,
    price_per_unit  numeric,
    units           numeric[] CONSTRAINT units_are_two CHECK (cardinality(units) = 2),
    written         text,
    PRIMARY KEY (account_key, transaction_id, copy, position)
);
COMMENT ON TABLE data_import.transaction_line_item IS 'Line items of transactions of type SUPPLY_CHARGE.';
COMMENT ON COLUMN data_import.transaction_line_item.account_key IS 'The account.';
COMMENT ON COLUMN data_import.transaction_line_item.transaction_id IS 'The transaction that the item belongs to.';
COMMENT ON COLUMN data_import.transaction_line_item.copy IS 'Which of the transactions with this transaction_id.';
COMMENT ON COLUMN data_import.transaction_line_item.position IS 'Place in the list as sent, from 0.';
COMMENT ON COLUMN data_import.transaction_line_item.rate_band IS 'Code of the rate.';
COMMENT ON COLUMN data_import.transaction_line_item.start_date IS 'First day that the item is for.';
COMMENT ON COLUMN data_import.transaction_line_item.end_date IS 'Last day that the item is for.';
COMMENT ON COLUMN data_import.transaction_line_item.number_of_units IS 'Units supplied.';
COMMENT ON COLUMN data_import.transaction_line_item.net_amount IS 'Amount of money before taxes.';
COMMENT ON COLUMN data_import.transaction_line_item.price_per_unit IS 'Price of one unit.';
COMMENT ON COLUMN data_import.transaction_line_item.units IS 'The two values of the field units, in their order.';
COMMENT ON COLUMN data_import.transaction_line_item.written IS
    'How number_of_units, net_amount, price_per_unit and the two units were written: see data_import.as_written.';

CREATE TABLE data_import.transaction_tax_item (
    account_key    uuid NOT NULL,
    transaction_id text COLLATE "C" NOT NULL,
    copy           integer NOT NULL,
    position       integer NOT NULL,
    amount         numeric NOT NULL,
    tax_type       text NOT NULL,
    value_taxed    numeric NOT NULL,
    rate           numeric NOT NULL,
    unit_type      text NOT NULL CONSTRAINT unit_type_is_known CHECK (unit_type IN ('PROPORTION', 'CURRENCY_PER_KWH')),
    written        text,
    PRIMARY KEY (account_key, transaction_id, copy, position)
);
COMMENT ON TABLE data_import.transaction_tax_item IS 'Tax items of transactions of the types SUPPLY_CHARGE and CHARGE.';
COMMENT ON COLUMN data_import.transaction_tax_item.account_key IS 'The account.';
COMMENT ON COLUMN data_import.transaction_tax_item.transaction_id IS 'The transaction that the item belongs to.';
COMMENT ON COLUMN data_import.transaction_tax_item.copy IS 'Which of the transactions with this transaction_id.';
COMMENT ON COLUMN data_import.transaction_tax_item.position IS 'Place in the list as sent, from 0.';
COMMENT ON COLUMN data_import.transaction_tax_item.amount IS 'Amount of the tax.';
COMMENT ON COLUMN data_import.transaction_tax_item.tax_type IS 'Code of the tax.';
COMMENT ON COLUMN data_import.transaction_tax_item.value_taxed IS 'What the tax is taken of.';
COMMENT ON COLUMN data_import.transaction_tax_item.rate IS 'Rate of the tax; unit_type says how to read it.';
COMMENT ON COLUMN data_import.transaction_tax_item.unit_type IS
    'PROPORTION: the rate is a share of value_taxed; CURRENCY_PER_KWH: money for each kilowatt hour.';
COMMENT ON COLUMN data_import.transaction_tax_item.written IS
    'How amount, value_taxed and rate were written: see data_import.as_written.';

-- Returns a decimal of an item as answers repeat it; null if p_decimal is null. If p_written is null, returns a JSON string; if
-- p_written is '#', a JSON number; both have the digits that PostgreSQL shows. Any other p_written is a JSON array with all
-- decimals of the item as they were sent. Then returns the array's element p_place, counted from 0.
CREATE FUNCTION data_import.as_written(p_written text, p_place integer, p_decimal numeric) RETURNS json
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN p_decimal IS NULL THEN NULL
                WHEN p_written IS NULL THEN to_json(p_decimal::text)
                WHEN p_written = '#' THEN to_json(p_decimal)
                ELSE p_written::json -> p_place END;
END
$$;
COMMENT ON FUNCTION data_import.as_written IS
    'A decimal of a line item or tax item as JSON, as it was sent; p_place is its place in written, from 0.';

-- Returns a transaction of the account as JSON; null if there is none. If the account has several with this id, returns the
-- first. The fields stand in the order of the documentation; fields without a value are left out. If the transaction is stored
-- under another date than the one that was sent, the last field is the date that was sent (requested_transaction_date).
CREATE FUNCTION data_import.stored_transaction(p_account_key uuid, p_transaction_id text) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT json_strip_nulls(json_build_object(
            'type', stored.type,
            'transaction_id', stored.transaction_id,
            'transaction_date', stored.transaction_date,
            'amount', round(stored.amount, 2)::text,
            'note', stored.note,
            'reason', stored.reason,
            'reference', stored.reference,
            'payment_type', stored.payment_type,
            'product_code', stored.product_code,
            'display_note', stored.display_note,
            'line_items', (
                SELECT json_agg(json_build_object(
                    'start_date', item.start_date, 'end_date', item.end_date,
                    'number_of_units', data_import.as_written(item.written, 0, item.number_of_units),
                    'net_amount', data_import.as_written(item.written, 1, item.net_amount),
                    'price_per_unit', data_import.as_written(item.written, 2, item.price_per_unit),
                    'rate_band', item.rate_band,
                    'units', CASE WHEN item.units IS NOT NULL THEN json_build_array(
                        data_import.as_written(item.written, 3, item.units[1]),
                        data_import.as_written(item.written, 4, item.units[2])) END)
                    ORDER BY item.position)
                FROM data_import.transaction_line_item AS item
                WHERE item.account_key = p_account_key AND item.transaction_id = p_transaction_id
                  AND item.copy = stored.copy),
            'tax_items', CASE WHEN stored.has_tax_items THEN coalesce((
                SELECT json_agg(json_build_object(
                    'amount', data_import.as_written(item.written, 0, item.amount), 'tax_type', item.tax_type,
                    'value_taxed', data_import.as_written(item.written, 1, item.value_taxed),
                    'rate', data_import.as_written(item.written, 2, item.rate), 'unit_type', item.unit_type)
                    ORDER BY item.position)
                FROM data_import.transaction_tax_item AS item
                WHERE item.account_key = p_account_key AND item.transaction_id = p_transaction_id
                  AND item.copy = stored.copy), '[]') END,
            'description', stored.description,
            'requested_transaction_date', stored.requested_transaction_date))
        FROM data_import.financial_transaction AS stored
        WHERE stored.account_key = p_account_key AND stored.transaction_id = p_transaction_id
        ORDER BY stored.copy LIMIT 1);
END
$$;
COMMENT ON FUNCTION data_import.stored_transaction IS
    'The account''s transaction with this id, the first where there are several, as JSON; null when there is none.';

CREATE FUNCTION data_import.transaction_figures(p_type text, p_records bigint, p_amount numeric)
RETURNS TABLE (figure text, value numeric) LANGUAGE sql IMMUTABLE AS $$
    VALUES ('records', p_records::numeric), ('amount:' || p_type, p_amount)
$$;
COMMENT ON FUNCTION data_import.transaction_figures IS
    'Figures of so many transactions of a type, whose amounts add up to p_amount.';

GRANT SELECT, INSERT ON data_import.financial_transaction, data_import.transaction_line_item, data_import.transaction_tax_item
    TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.as_written, data_import.stored_transaction, data_import.transaction_figures TO
    "data-import";
