-- Energy amounts (contract, sections 4.4 and 5.3): documents like delivery notes.

CREATE TABLE data_import.energy_amount (
    account_key                 uuid NOT NULL,
    content_digest              uuid NOT NULL,
    malo_number                 text NOT NULL,
    period_start_at             timestamptz NOT NULL,
    period_end_at               timestamptz NOT NULL,
    product_identifier          text NOT NULL,
    product_identifier_type     text NOT NULL,
    quantity                    numeric NOT NULL,
    quantity_unit               text NOT NULL,
    line_item_identifier        text NOT NULL,
    preceding_reference         text,
    cancelled                   boolean NOT NULL,
    cancelled_at                timestamptz,
    cancelled_reference         text,
    qualifier                   text,
    estimate_method             text,
    estimate_reason             text,
    correction_reason           text,
    plausibility_indications    text[],
    measurement_classifications text[],
    edifact_reference_number    text NOT NULL,
    sent_as_null                text[],
    LIKE data_import.provenance INCLUDING DEFAULTS INCLUDING COMMENTS,
    PRIMARY KEY (account_key, content_digest)
);
COMMENT ON TABLE data_import.energy_amount IS 'Imported energy amounts (contract, section 4.4).';
COMMENT ON COLUMN data_import.energy_amount.account_key IS 'The account.';
COMMENT ON COLUMN data_import.energy_amount.content_digest IS
    'What the energy amount is known by: digest of its content.';
COMMENT ON COLUMN data_import.energy_amount.malo_number IS 'Number of the market location, 11 digits.';
COMMENT ON COLUMN data_import.energy_amount.period_start_at IS 'Begin of the period that was metered.';
COMMENT ON COLUMN data_import.energy_amount.period_end_at IS 'End of that period, not before its begin.';
COMMENT ON COLUMN data_import.energy_amount.product_identifier IS 'What was delivered.';
COMMENT ON COLUMN data_import.energy_amount.product_identifier_type IS 'The code list of product_identifier.';
COMMENT ON COLUMN data_import.energy_amount.quantity IS 'How much was delivered, in quantity_unit.';
COMMENT ON COLUMN data_import.energy_amount.quantity_unit IS 'Unit of quantity.';
COMMENT ON COLUMN data_import.energy_amount.line_item_identifier IS 'Identifier of the line in the message.';
COMMENT ON COLUMN data_import.energy_amount.preceding_reference IS 'Reference of the energy amount before this one.';
COMMENT ON COLUMN data_import.energy_amount.cancelled IS 'Whether the energy amount was cancelled.';
COMMENT ON COLUMN data_import.energy_amount.cancelled_at IS 'When it was cancelled.';
COMMENT ON COLUMN data_import.energy_amount.cancelled_reference IS 'Reference of the cancellation.';
COMMENT ON COLUMN data_import.energy_amount.qualifier IS 'Code: what kind of value quantity is.';
COMMENT ON COLUMN data_import.energy_amount.estimate_method IS 'Code: how the value was estimated.';
COMMENT ON COLUMN data_import.energy_amount.estimate_reason IS 'Code: why it was estimated.';
COMMENT ON COLUMN data_import.energy_amount.correction_reason IS 'Code: why it was corrected.';
COMMENT ON COLUMN data_import.energy_amount.plausibility_indications IS
    'Codes in the order sent; null where the array was not sent.';
COMMENT ON COLUMN data_import.energy_amount.measurement_classifications IS
    'Codes in the order sent; null where the array was not sent.';
COMMENT ON COLUMN data_import.energy_amount.edifact_reference_number IS
    'Reference of the EDIFACT message it came with.';
COMMENT ON COLUMN data_import.energy_amount.sent_as_null IS
    'Columns that were sent as null; other NULLs were not sent. NULL where none was.';

GRANT SELECT, INSERT ON data_import.energy_amount TO "data-import";
