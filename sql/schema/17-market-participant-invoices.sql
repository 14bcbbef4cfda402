-- Market participant invoices (contract, sections 4.7 and 5.6): documents like delivery notes.

-- The only value of paid_in_advance_amounts that is taken is the empty array, so only whether it was sent is stored.
CREATE TABLE data_import.market_participant_invoice (
    account_key                       uuid NOT NULL,
    content_digest                    uuid NOT NULL,
    invoice_type                      text NOT NULL,
    invoice_sub_type                  text,
    invoice_document_type             text NOT NULL,
    invoice_number                    text NOT NULL,
    status                            text NOT NULL,
    issued_at                         timestamptz NOT NULL,
    due_at                            timestamptz NOT NULL,
    malo_number                       text NOT NULL,
    melo_number                       text,
    period_start_at                   timestamptz,
    period_end_at                     timestamptz,
    balancing_period_start_at         timestamptz,
    supply_period_end_at              timestamptz,
    service_conducted_at              timestamptz,
    amount_total                      bigint NOT NULL,
    amount_due                        bigint NOT NULL,
    amount_discount                   bigint,
    is_reverse_charge                 boolean,
    is_duplicate                      boolean,
    was_prepaid                       boolean,
    reference_invoice_number          text,
    reference_invoice_issued_at       timestamptz,
    reference_document                text,
    interchange_reference             text,
    external_id                       text NOT NULL,
    sender_id                         bigint NOT NULL,
    recipient_id                      bigint NOT NULL,
    sender_address_name               text NOT NULL,
    sender_address_street             text,
    sender_address_city               text,
    sender_address_postcode           text,
    sender_address_tax_number         text,
    sender_address_tax_number_type    text,
    sender_address_country_code       text,
    recipient_address_name            text NOT NULL,
    recipient_address_street          text,
    recipient_address_city            text,
    recipient_address_postcode        text,
    recipient_address_tax_number      text,
    recipient_address_tax_number_type text,
    recipient_address_country_code    text,
    line_items                        json NOT NULL,
    tax_amounts                       json NOT NULL,
    has_paid_in_advance_amounts       boolean,
    sent_as_null                      text[],
    LIKE data_import.provenance INCLUDING DEFAULTS INCLUDING COMMENTS,
    PRIMARY KEY (account_key, content_digest)
);
COMMENT ON TABLE data_import.market_participant_invoice IS
    'Imported market participant invoices (contract, section 4.7). Amounts are in minor units of the currency.';
COMMENT ON COLUMN data_import.market_participant_invoice.account_key IS 'The account.';
COMMENT ON COLUMN data_import.market_participant_invoice.content_digest IS
    'What the invoice is known by: digest of its content.';
COMMENT ON COLUMN data_import.market_participant_invoice.invoice_type IS 'Code: type of the invoice.';
COMMENT ON COLUMN data_import.market_participant_invoice.invoice_sub_type IS 'Code: kind within invoice_type.';
COMMENT ON COLUMN data_import.market_participant_invoice.invoice_document_type IS 'Code: type of the document.';
COMMENT ON COLUMN data_import.market_participant_invoice.invoice_number IS 'Number of the invoice at its sender.';
COMMENT ON COLUMN data_import.market_participant_invoice.status IS 'Code: state of the invoice at the import supplier.';
COMMENT ON COLUMN data_import.market_participant_invoice.issued_at IS 'When the invoice was issued.';
COMMENT ON COLUMN data_import.market_participant_invoice.due_at IS 'When it is to be paid.';
COMMENT ON COLUMN data_import.market_participant_invoice.malo_number IS 'Number of the market location, 11 digits.';
COMMENT ON COLUMN data_import.market_participant_invoice.melo_number IS
    'Number of the metering location, 33 characters.';
COMMENT ON COLUMN data_import.market_participant_invoice.period_start_at IS 'Begin of the period that is invoiced.';
COMMENT ON COLUMN data_import.market_participant_invoice.period_end_at IS 'End of that period, not before its begin.';
COMMENT ON COLUMN data_import.market_participant_invoice.balancing_period_start_at IS 'Begin of the balancing period.';
COMMENT ON COLUMN data_import.market_participant_invoice.supply_period_end_at IS 'End of the supply period.';
COMMENT ON COLUMN data_import.market_participant_invoice.service_conducted_at IS 'When the service was rendered.';
COMMENT ON COLUMN data_import.market_participant_invoice.amount_total IS 'Total of the invoice.';
COMMENT ON COLUMN data_import.market_participant_invoice.amount_due IS 'What is to be paid.';
COMMENT ON COLUMN data_import.market_participant_invoice.amount_discount IS 'Discount on the invoice.';
COMMENT ON COLUMN data_import.market_participant_invoice.is_reverse_charge IS 'Whether the recipient owes the tax.';
COMMENT ON COLUMN data_import.market_participant_invoice.is_duplicate IS
    'Whether it is a duplicate of another invoice.';
COMMENT ON COLUMN data_import.market_participant_invoice.was_prepaid IS 'Whether it had been paid in advance.';
COMMENT ON COLUMN data_import.market_participant_invoice.reference_invoice_number IS
    'Number of the invoice that this one refers to.';
COMMENT ON COLUMN data_import.market_participant_invoice.reference_invoice_issued_at IS 'When that invoice was issued.';
COMMENT ON COLUMN data_import.market_participant_invoice.reference_document IS 'Document that the invoice refers to.';
COMMENT ON COLUMN data_import.market_participant_invoice.interchange_reference IS
    'Reference of the interchange it came in.';
COMMENT ON COLUMN data_import.market_participant_invoice.external_id IS
    'The invoice''s identifier in the supplier''s system.';
COMMENT ON COLUMN data_import.market_participant_invoice.sender_id IS 'Code of the market participant who sent it.';
COMMENT ON COLUMN data_import.market_participant_invoice.recipient_id IS 'Code of the market participant who got it.';
COMMENT ON COLUMN data_import.market_participant_invoice.sender_address_name IS 'sender_address.name.';
COMMENT ON COLUMN data_import.market_participant_invoice.sender_address_street IS 'sender_address.street.';
COMMENT ON COLUMN data_import.market_participant_invoice.sender_address_city IS 'sender_address.city.';
COMMENT ON COLUMN data_import.market_participant_invoice.sender_address_postcode IS 'sender_address.postcode.';
COMMENT ON COLUMN data_import.market_participant_invoice.sender_address_tax_number IS 'sender_address.tax_number.';
COMMENT ON COLUMN data_import.market_participant_invoice.sender_address_tax_number_type IS
    'sender_address.tax_number_type, a code.';
COMMENT ON COLUMN data_import.market_participant_invoice.sender_address_country_code IS
    'sender_address.country_code, two capital letters.';
COMMENT ON COLUMN data_import.market_participant_invoice.recipient_address_name IS 'recipient_address.name.';
COMMENT ON COLUMN data_import.market_participant_invoice.recipient_address_street IS 'recipient_address.street.';
COMMENT ON COLUMN data_import.market_participant_invoice.recipient_address_city IS 'recipient_address.city.';
COMMENT ON COLUMN data_import.market_participant_invoice.recipient_address_postcode IS 'recipient_address.postcode.';
COMMENT ON COLUMN data_import.market_participant_invoice.recipient_address_tax_number IS
    'recipient_address.tax_number.';
COMMENT ON COLUMN data_import.market_participant_invoice.recipient_address_tax_number_type IS
    'recipient_address.tax_number_type, a code.';
COMMENT ON COLUMN data_import.market_participant_invoice.recipient_address_country_code IS
    'recipient_address.country_code, two capital letters.';
COMMENT ON COLUMN data_import.market_participant_invoice.line_items IS
    'Array of the line items, each an object of the columns of market_participant_invoice_line_item.';
COMMENT ON COLUMN data_import.market_participant_invoice.tax_amounts IS
    'Array of the tax amounts, each an object of the columns of market_participant_invoice_tax_amount.';
COMMENT ON COLUMN data_import.market_participant_invoice.has_paid_in_advance_amounts IS
    'True where paid_in_advance_amounts was sent, which is an empty array always; else null.';
COMMENT ON COLUMN data_import.market_participant_invoice.sent_as_null IS
    'Columns that were sent as null; other NULLs were not sent. NULL where none was.';

-- Line items have a field that is called `position`. Its value is free, and several items of an invoice may have the same value.
-- So the column for the item's place in the list is called ordinal.
CREATE VIEW data_import.market_participant_invoice_line_item AS
SELECT invoice.account_key, invoice.content_digest, item.*
FROM data_import.market_participant_invoice AS invoice,
     json_to_recordset(invoice.line_items) AS item (
         ordinal integer, position integer, article text, article_type text, quantity numeric, quantity_unit text,
         quantity_interval json, quantity_interval_type json, quantity_correction_factor json,
         period_start_at timestamptz, period_end_at timestamptz, service_conducted_at timestamptz, amount_net bigint,
         amount_adjustment bigint, price numeric, price_interval json, tax_rate numeric, tax_rate_type text,
         external_id text, sent_as_null text[]);
COMMENT ON VIEW data_import.market_participant_invoice_line_item IS
    'Line items of market participant invoices. Columns of type json hold a string, a number or a boolean as it was '
    'sent.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.account_key IS 'The account.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.content_digest IS 'The invoice.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.ordinal IS
    'Place in the invoice''s line_items, from 0.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.position IS
    'Number that the invoice gives the line.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.article IS 'What is invoiced.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.article_type IS 'The code list of article.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.quantity IS 'How much of it, in quantity_unit.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.quantity_unit IS 'Unit of quantity.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.quantity_interval IS
    'Interval that quantity is for.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.quantity_interval_type IS
    'Kind of quantity_interval.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.quantity_correction_factor IS
    'Factor that quantity was corrected by.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.period_start_at IS
    'Begin of the period of the line.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.period_end_at IS
    'End of that period, not before its begin.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.service_conducted_at IS
    'When the service of the line was rendered.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.amount_net IS 'Net amount in minor units.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.amount_adjustment IS
    'Surcharge or deduction in minor units.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.price IS 'Price of one unit.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.price_interval IS 'Interval that price is for.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.tax_rate IS 'Rate of the tax.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.tax_rate_type IS 'Code: kind of tax_rate.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.external_id IS
    'The line''s identifier in the supplier''s system.';
COMMENT ON COLUMN data_import.market_participant_invoice_line_item.sent_as_null IS
    'Columns that were sent as null; other NULLs were not sent. NULL where none was.';

CREATE VIEW data_import.market_participant_invoice_tax_amount AS
SELECT invoice.account_key, invoice.content_digest, item.*
FROM data_import.market_participant_invoice AS invoice,
     json_to_recordset(invoice.tax_amounts) AS item (
         ordinal integer, tax_rate numeric, tax_rate_type text, amount_paid_in_advance json,
         tax_amount_paid_in_advance json, tax_amount_assessment_basis bigint, tax_amount bigint, sent_as_null text[]);
COMMENT ON VIEW data_import.market_participant_invoice_tax_amount IS
    'Tax amounts of market participant invoices. Columns of type json hold a string, a number or a boolean as it was '
    'sent.';
COMMENT ON COLUMN data_import.market_participant_invoice_tax_amount.account_key IS 'The account.';
COMMENT ON COLUMN data_import.market_participant_invoice_tax_amount.content_digest IS 'The invoice.';
COMMENT ON COLUMN data_import.market_participant_invoice_tax_amount.ordinal IS
    'Place in the invoice''s tax_amounts, from 0.';
COMMENT ON COLUMN data_import.market_participant_invoice_tax_amount.tax_rate IS 'Rate of the tax.';
COMMENT ON COLUMN data_import.market_participant_invoice_tax_amount.tax_rate_type IS 'Code: kind of tax_rate.';
COMMENT ON COLUMN data_import.market_participant_invoice_tax_amount.amount_paid_in_advance IS
    'What was paid in advance.';
COMMENT ON COLUMN data_import.market_participant_invoice_tax_amount.tax_amount_paid_in_advance IS
    'The tax on what was paid in advance.';
COMMENT ON COLUMN data_import.market_participant_invoice_tax_amount.tax_amount_assessment_basis IS
    'Amount that is taxed, in minor units.';
COMMENT ON COLUMN data_import.market_participant_invoice_tax_amount.tax_amount IS 'The tax, in minor units.';
COMMENT ON COLUMN data_import.market_participant_invoice_tax_amount.sent_as_null IS
    'Columns that were sent as null; other NULLs were not sent. NULL where none was.';

-- Types and functions for the items of an invoice, for SQL statements that have read the invoice already.
--
-- Such statements cannot read the views of the items. Citus sends a statement as a whole to the nodes of its accounts only if it
-- reads none of these views, and if all functions in its FROM are immutable. invoice_line_items and invoice_tax_amounts are
-- immutable, because every time in an invoice has its UTC offset. The views do not call these two functions, because Citus would
-- mistake grants on the functions for a circular dependency.
CREATE TYPE data_import.invoice_line_item AS (
    ordinal integer, position integer, article text, article_type text, quantity numeric, quantity_unit text,
    quantity_interval json, quantity_interval_type json, quantity_correction_factor json, period_start_at timestamptz,
    period_end_at timestamptz, service_conducted_at timestamptz, amount_net bigint, amount_adjustment bigint, price numeric,
    price_interval json, tax_rate numeric, tax_rate_type text, external_id text, sent_as_null text[]);
COMMENT ON TYPE data_import.invoice_line_item IS 'A row of market_participant_invoice_line_item, without its invoice.';

CREATE FUNCTION data_import.invoice_line_items(p_line_items json) RETURNS SETOF data_import.invoice_line_item
LANGUAGE sql IMMUTABLE AS $$
    SELECT * FROM json_populate_recordset(NULL::data_import.invoice_line_item, p_line_items)
$$;
COMMENT ON FUNCTION data_import.invoice_line_items IS 'Line items of a market participant invoice.';

CREATE TYPE data_import.invoice_tax_amount AS (
    ordinal integer, tax_rate numeric, tax_rate_type text, amount_paid_in_advance json, tax_amount_paid_in_advance json,
    tax_amount_assessment_basis bigint, tax_amount bigint, sent_as_null text[]);
COMMENT ON TYPE data_import.invoice_tax_amount IS 'A row of market_participant_invoice_tax_amount, without its invoice.';

CREATE FUNCTION data_import.invoice_tax_amounts(p_tax_amounts json) RETURNS SETOF data_import.invoice_tax_amount
LANGUAGE sql IMMUTABLE AS $$
    SELECT * FROM json_populate_recordset(NULL::data_import.invoice_tax_amount, p_tax_amounts)
$$;
COMMENT ON FUNCTION data_import.invoice_tax_amounts IS 'Tax amounts of a market participant invoice.';

GRANT SELECT, INSERT ON data_import.market_participant_invoice TO "data-import";
GRANT SELECT ON data_import.market_participant_invoice_line_item, data_import.market_participant_invoice_tax_amount TO
    "data-import";
GRANT EXECUTE ON FUNCTION data_import.invoice_line_items, data_import.invoice_tax_amounts TO "data-import";
