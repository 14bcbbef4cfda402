// Rules across fields that several payloads share (contract, sections 2.4 and 5).
#pragma once

#include <string_view>

#include "data/json/value.h"
#include "data/schema/schema.h"

namespace data_import::payload {

/// Reports `period_end_before_start` at the field `end` of `object` if its value is before that of the field
/// `start`. Both values are dates, or both are datetimes. Does nothing if a field is missing. The caller is a
/// rule whose `reads` names both fields (schema::Object::rule), so their values are valid.
void check_period(const json::Value& object, std::string_view start, std::string_view end,
                  schema::Report& report);

/// Calls check_period() for `period_start_at` and `period_end_at`.
void check_document_period(const json::Value& object, schema::Report& report);

/// A string field whose values must differ between the items of an array.
struct Identity {
    /// Name of the field whose value is the array. The field belongs to the object that check_repetitions()
    /// gets.
    std::string_view array;
    std::string_view field;  ///< name of the string field in each item of the array
    /// The form of the field. A value of another form is not compared, because it has a violation already.
    schema::Schema form;
    std::size_t max_items;    ///< most items that are compared: the `max` of the array in the schema
    Code code;                ///< code of the violation
    std::string_view detail;  ///< sentence of the violation
};

/// Reports a violation at each item of the array `identity.array` of `object` that has the same value of
/// `identity.field` as an earlier item. Skips items in which `identity.field` is missing or faulty.
///
/// The caller is a rule with an empty `reads` (schema::Object::rule), which runs even if items are faulty.
void check_repetitions(const json::Value& object, const Identity& identity, schema::Report& report);

}  // namespace data_import::payload
