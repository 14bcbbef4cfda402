// Rules across fields that several payloads share (contract, sections 2.4 and 5).
#pragma once

#include <string_view>

#include "data/json/value.h"
#include "data/schema/schema.h"

namespace data_import::payload {

/// Reports `period_end_before_start` at `end` if it is before `start`. Both fields are dates, or both are
/// datetimes; if one is missing, nothing is compared. For a rule that reads both.
void check_period(const json::Value& object, std::string_view start, std::string_view end,
                  schema::Report& report);

/// Checks `period_start_at` and `period_end_at` as check_period() does. For a rule that reads both.
void check_document_period(const json::Value& object, schema::Report& report);

/// A string field whose values must differ between the items of an array.
struct Identity {
    std::string_view array;  ///< field of the object that holds the array
    std::string_view field;  ///< field of each item
    schema::Schema form;  ///< the form of the field; values of another form have a violation already and are
                          ///< not compared
    std::size_t max_items;    ///< items after so many are not compared, as in the schema
    Code code;                ///< code of the violation
    std::string_view detail;  ///< its sentence
};

/// Reports a violation at each item whose `field` has the same value as that of an earlier item. For a rule
/// that reads no fields: so it always runs, and also has to take faulty items.
void check_repetitions(const json::Value& object, const Identity& identity, schema::Report& report);

}  // namespace data_import::payload
