-- Delivery notes (contract, sections 4.3 and 5.2).

-- The amounts of a delivery note are passed to functions, and stored, as one array for each field. A migration brings hundreds of
-- amounts for every account, and a row with an index entry for each amount would cost far more.
--
-- Mostly all amounts of a delivery note have the same type, unit and code list. A text that all amounts have in common stands in
-- its array only once. Otherwise, a migration of books would run at 0.79 to 0.87 of its rate.

CREATE TABLE data_import.delivery_note (
    account_key                    uuid NOT NULL,
    content_digest                 uuid NOT NULL,
    malo_number                    text NOT NULL,
    preceding_reference            text,
    cancelled                      boolean NOT NULL,
    validation_status              boolean NOT NULL,
    last_validation_at             timestamptz,
    edifact_reference_number       text NOT NULL,
    amount_period_start_at         timestamptz[] NOT NULL,
    amount_period_end_at           timestamptz[] NOT NULL,
    amount_product_identifier      text[] NOT NULL,
    amount_product_identifier_type text[] NOT NULL,
    amount_quantity                numeric[] NOT NULL,
    amount_quantity_unit           text[] NOT NULL,
    amount_line_item_identifier    text[] NOT NULL,
    LIKE data_import.provenance INCLUDING DEFAULTS INCLUDING COMMENTS,
    PRIMARY KEY (account_key, content_digest)
);
-- Sets the storage MAIN, which keeps the values in the row. The compressed amounts of a day in quarters of an hour fit into the
-- row, but are just above the size from which PostgreSQL would move values out of the row. Each moved value costs a second row
-- and an index entry. All columns have the storage MAIN, because PostgreSQL would move any other column before it compresses the
-- amounts.
ALTER TABLE data_import.delivery_note
    ALTER malo_number SET STORAGE MAIN,
    ALTER preceding_reference SET STORAGE MAIN,
    ALTER edifact_reference_number SET STORAGE MAIN,
    ALTER amount_period_start_at SET STORAGE MAIN,
    ALTER amount_period_end_at SET STORAGE MAIN,
    ALTER amount_product_identifier SET STORAGE MAIN,
    ALTER amount_product_identifier_type SET STORAGE MAIN,
    ALTER amount_quantity SET STORAGE MAIN,
    ALTER amount_quantity_unit SET STORAGE MAIN,
    ALTER amount_line_item_identifier SET STORAGE MAIN;
COMMENT ON TABLE data_import.delivery_note IS
    'Imported delivery notes (contract, section 4.3). The arrays amount_... hold one element for each amount, in '
    'their order, or a text that is the same for all amounts once (imports are a sixth faster so); the view '
    'delivery_note_amount shows them as rows.';
COMMENT ON COLUMN data_import.delivery_note.account_key IS 'The account.';
COMMENT ON COLUMN data_import.delivery_note.content_digest IS
    'What the delivery note is known by: digest of its content.';
COMMENT ON COLUMN data_import.delivery_note.malo_number IS 'Number of the market location, 11 digits.';
COMMENT ON COLUMN data_import.delivery_note.preceding_reference IS 'Reference of the delivery note before this one.';
COMMENT ON COLUMN data_import.delivery_note.cancelled IS 'Whether the delivery note was cancelled.';
COMMENT ON COLUMN data_import.delivery_note.validation_status IS 'Whether the delivery note passed its validation.';
COMMENT ON COLUMN data_import.delivery_note.last_validation_at IS 'When it was validated last.';
COMMENT ON COLUMN data_import.delivery_note.edifact_reference_number IS
    'Reference of the EDIFACT message it came with.';
COMMENT ON COLUMN data_import.delivery_note.amount_period_start_at IS 'Begins of the periods that were metered.';
COMMENT ON COLUMN data_import.delivery_note.amount_period_end_at IS 'Ends of these periods, none before its begin.';
COMMENT ON COLUMN data_import.delivery_note.amount_product_identifier IS 'What was delivered.';
COMMENT ON COLUMN data_import.delivery_note.amount_product_identifier_type IS 'The code lists of product_identifier.';
COMMENT ON COLUMN data_import.delivery_note.amount_quantity IS 'How much was delivered, in quantity_unit.';
COMMENT ON COLUMN data_import.delivery_note.amount_quantity_unit IS 'Units of quantity.';
COMMENT ON COLUMN data_import.delivery_note.amount_line_item_identifier IS 'Identifiers of the lines in the message.';

CREATE VIEW data_import.delivery_note_amount AS
SELECT note.account_key, note.content_digest, amount.place::integer - 1 AS position, amount.period_start_at,
       amount.period_end_at, coalesce(amount.product_identifier, note.amount_product_identifier[1]) AS product_identifier,
       coalesce(amount.product_identifier_type, note.amount_product_identifier_type[1]) AS product_identifier_type,
       amount.quantity, coalesce(amount.quantity_unit, note.amount_quantity_unit[1]) AS quantity_unit,
       coalesce(amount.line_item_identifier, note.amount_line_item_identifier[1]) AS line_item_identifier
FROM data_import.delivery_note AS note,
     unnest(note.amount_period_start_at, note.amount_period_end_at, note.amount_product_identifier,
            note.amount_product_identifier_type, note.amount_quantity, note.amount_quantity_unit,
            note.amount_line_item_identifier) WITH ORDINALITY
     AS amount (period_start_at, period_end_at, product_identifier, product_identifier_type, quantity, quantity_unit,
                line_item_identifier, place);
COMMENT ON VIEW data_import.delivery_note_amount IS 'Amounts of delivery notes, a row for each.';
COMMENT ON COLUMN data_import.delivery_note_amount.account_key IS 'The account.';
COMMENT ON COLUMN data_import.delivery_note_amount.content_digest IS 'The delivery note.';
COMMENT ON COLUMN data_import.delivery_note_amount.position IS 'Place in the delivery note''s amounts, from 0.';
COMMENT ON COLUMN data_import.delivery_note_amount.period_start_at IS 'Begin of the period that was metered.';
COMMENT ON COLUMN data_import.delivery_note_amount.period_end_at IS 'End of that period, not before its begin.';
COMMENT ON COLUMN data_import.delivery_note_amount.product_identifier IS 'What was delivered.';
COMMENT ON COLUMN data_import.delivery_note_amount.product_identifier_type IS 'The code list of product_identifier.';
COMMENT ON COLUMN data_import.delivery_note_amount.quantity IS 'How much was delivered, in quantity_unit.';
COMMENT ON COLUMN data_import.delivery_note_amount.quantity_unit IS 'Unit of quantity.';
COMMENT ON COLUMN data_import.delivery_note_amount.line_item_identifier IS 'Identifier of the line in the message.';

GRANT SELECT, INSERT ON data_import.delivery_note TO "data-import";
