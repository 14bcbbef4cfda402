// The form of a payload, declared as a value: the rules of the contract, sections 2.4 and 4.
//
//     const Schema note = object()
//         .may("body", text(1, 65536))
//         .may("document_paths", array(object().need("document_path", document_path())).min(1).max(100))
//         .may("created_at", datetime())
//         .rule({"body", "document_paths"}, body_or_document_paths);
//     const Schema request = account_scoped().need("notes", array(note).min(1).max(1000));
//
// One declaration serves validation, documentation and the tests that walk all endpoints.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/codes/codes.h"
#include "data/json/value.h"

namespace data_import::schema {

/// One item of `errors` (contract, section 3.1).
struct Violation {
    std::string attr;          ///< `notes.0.document_paths.3.document_path`; "" is the payload itself
    Code code;                 ///< code of the violation, one of the codes for items of `errors`
    std::string detail;        ///< a sentence that names the rule and the limit or allowed values
    std::size_t position = 0;  ///< place in the payload, for ordering
    std::string sent = {};     ///< the value, which told() shows; empty if its field may hold free text

    /// Returns `detail` and the value that was sent. Only the sender may see this text, because it has data
    /// of the request.
    [[nodiscard]] std::string told() const;
};

/// Returns a violation at the path `attr` that shows `value` to the sender (schema/shown.h). `value` must not
/// be free text, because violations never show free text.
[[nodiscard]] Violation violation_of(std::string attr, Code code, std::string detail,
                                     const json::Value& value);

/// The treatment of undocumented fields: setting `unknown_fields`.
enum class UnknownFields { refuse, ignore };

inline constexpr std::size_t max_violations = 100;

/// Takes the violations that a rule finds.
class Report {
public:
    virtual ~Report() = default;
    /// Adds a violation at the object itself.
    virtual void add(Code code, std::string detail) = 0;
    /// Adds a violation at a field of the object. `field` is the field's name, or the dotted path from the
    /// object to a value inside it (`lines.3.end_date`). The violation shows the field's value, so the field
    /// must not hold free text. The violation is ordered by the place of the field's value, or by the
    /// object's place if the field is missing.
    virtual void add(std::string_view field, Code code, std::string detail) = 0;
    /// Returns whether a violation at this value or at a later one could still be reported. If not, a rule
    /// that goes through many values in their order may stop.
    [[nodiscard]] virtual bool takes(const json::Value& value) const = 0;
};

/// A check across the fields of one object. It runs only if none of the fields that it reads has a violation,
/// at any depth. So each of these fields that find() returns is valid. Even a required field may be absent,
/// and a nullable field may be null. Violations that a rule reports make the object faulty for the rules of
/// the enclosing objects.
using Rule = void (*)(const json::Value& object, Report& report);

struct Node;  // one kind of value and its limits; private to the folder: schema/node.h

/// An immutable description of a JSON value; copying shares it.
class Schema {
public:
    explicit Schema(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
    [[nodiscard]] const Node& node() const { return *node_; }

protected:
    std::shared_ptr<const Node> node_;
};

/// An object: fields in the order of their declaration. The member functions return a changed copy.
class Object : public Schema {
public:
    using Schema::Schema;
    /// Adds a required field. `sentence` tells the documentation the unit of the field, if it has one, and
    /// then its meaning. `sentence` has to be a literal, since it is not copied.
    [[nodiscard]] Object need(std::string_view name, const Schema& field,
                              std::string_view sentence = {}) const;
    /// Returns a copy of the object with one more field, which is optional. `sentence` describes the field in
    /// the documentation, as in need().
    [[nodiscard]] Object may(std::string_view name, const Schema& field,
                             std::string_view sentence = {}) const;
    /// Declares any number of optional fields whose names are `prefix` followed by 1 to `max` code points.
    /// `field` is the schema of the value of each of these fields. `sentence` describes the fields in the
    /// documentation, as in need().
    [[nodiscard]] Object may_each(std::string_view prefix, std::size_t max, const Schema& field,
                                  std::string_view sentence = {}) const;
    /// Treats the names of the fields like the values of a choice: a name that is not declared is
    /// `invalid_choice`, whatever the setting `unknown_fields` says.
    [[nodiscard]] Object names_are_choices() const;
    /// Returns a copy of the object that knows which fields the object had in version 1.0 of this program.
    /// `fields` has the names of these fields, separated by blanks. After a name stands `?` if the field was
    /// optional, then `~` if the field could be null. `left_out` names the fields that digests do not
    /// include. In an outermost object, the first name of `fields` has to be that of a required text or
    /// positive integer.
    ///
    /// The arguments of a call must never be changed. Stored records are recognised by a digest, which is
    /// computed from the fields in the order of `fields` (schema/content.h).
    [[nodiscard]] Object as_of_1_0(std::string_view fields,
                                   const std::vector<std::string_view>& left_out = {}) const;
    /// Adds a rule. `reads` names the declared fields that the rule looks at. The rule runs only if none of
    /// these fields has a violation. If `reads` is empty, the rule runs even for objects with wrong fields.
    [[nodiscard]] Object rule(const std::vector<std::string_view>& reads, Rule check) const;
    /// Requires that at least one of these declared fields is there, in the JSON Schema of the documentation,
    /// too. A field whose value is an empty object counts as missing. If none is there, reports `otherwise`
    /// at the object itself, with `detail`, which has to be a literal, since it is not copied.
    [[nodiscard]] Object need_one_of(const std::vector<std::string_view>& fields, Code otherwise,
                                     std::string_view detail) const;
};

/// An array. It may have any length if none of min(), max() and exactly() is called. If an array has more
/// items than max() allows, the items beyond that number are not checked.
class Array : public Schema {
public:
    using Schema::Schema;
    /// Requires at least `items` items. `items` has to be 0 or 1; otherwise Object::need() and Object::may()
    /// throw std::logic_error when they get this array. An array with too few items is reported as `empty`.
    [[nodiscard]] Array min(std::size_t items) const;
    /// Allows at most `items`. An array with more is reported as `max_items`.
    [[nodiscard]] Array max(std::size_t items) const;
    /// Requires exactly `items` items; replaces min() and max(). Reports an array with any other number of
    /// items as `otherwise`, and checks all of its items even then.
    [[nodiscard]] Array exactly(std::size_t items, Code otherwise) const;
    /// Stores the items, which have to be objects, with one array column `PREFIX_FIELD` for each of their
    /// fields.
    [[nodiscard]] Array columns(std::string_view prefix) const;
};

[[nodiscard]] Object object();
[[nodiscard]] Array array(const Schema& item);
/// Declares objects of several kinds, which the string field `discriminator` tells apart. `alternatives` have
/// the name and the object of each kind, and do not declare the discriminator themselves. `sentence` is the
/// meaning of the discriminator. If the discriminator does not hold the name of an alternative, only this
/// violation is reported for the object (`required`, `null`, `invalid` or `invalid_choice`).
[[nodiscard]] Schema variant(std::string_view discriminator,
                             const std::vector<std::pair<std::string, Object>>& alternatives,
                             std::string_view sentence = {});
/// Declares a string of `min` to `max` code points. `min` has to be 0 or 1; otherwise Object::need() and
/// Object::may() throw std::logic_error when they get this schema. If `min` is 1, a string that is empty or
/// only white space is reported as `blank`.
[[nodiscard]] Schema text(std::size_t min, std::size_t max);
/// Declares a string of 1 to `max` code points that is a code, a number or an identifier. It is no free text,
/// so violations show it.
[[nodiscard]] Schema code(std::size_t max);

// Strings of a certain form. A string that is empty or only white space is `blank`. Any other string without
// this form is `invalid`.

/// Declares exactly `count` ASCII digits.
[[nodiscard]] Schema digits(std::size_t count);
/// Declares exactly `count` ASCII letters and digits.
[[nodiscard]] Schema alphanumeric(std::size_t count);
/// Declares an e-mail address, at most 254 code points (`max_length`).
[[nodiscard]] Schema email();
/// Declares a number of E.164: a plus sign and 7 to 15 digits, the first not 0.
[[nodiscard]] Schema phone();
/// Declares two ASCII capitals.
[[nodiscard]] Schema country_code();

/// Declares one of these strings. Any other one is `invalid_choice`.
[[nodiscard]] Schema choice(std::vector<std::string> allowed);
/// Declares a text that `is_known` accepts, of at most `max` code points (`max_length`). The documentation
/// does not list these texts. Any other text is `invalid_choice`. `what` completes `This value must be ...`.
[[nodiscard]] Schema known_text(std::size_t max, std::string what,
                                std::function<bool(std::string_view)> is_known);
[[nodiscard]] Schema boolean();
/// Declares an integer: a JSON number without fraction or exponent. One out of range is `min_value` or
/// `max_value`.
[[nodiscard]] Schema integer(std::int64_t min = std::numeric_limits<std::int64_t>::min(),
                             std::int64_t max = std::numeric_limits<std::int64_t>::max());
/// Declares a decimal, as a JSON number or a decimal string. A decimal with more than `precision` - `scale`
/// digits before the point is reported as `max_digits`, one with more than `scale` digits after the point as
/// `max_decimal_places`. Zeros at either end do not count.
[[nodiscard]] Schema decimal(unsigned precision, unsigned scale);
/// Declares a decimal as decimal() does, and reports a decimal that is not above 0 as `min_value`.
/// `precision` has to be greater than `scale`.
[[nodiscard]] Schema positive_decimal(unsigned precision, unsigned scale);
/// Declares a decimal string with exactly `scale` digits after the point, for answers.
[[nodiscard]] Schema fixed_decimal(unsigned precision, unsigned scale);
[[nodiscard]] Schema date();
[[nodiscard]] Schema datetime();
/// Declares a document path (contract, section 1.5). A wrong one is `blank`, `max_length` or
/// `invalid_document_path`.
[[nodiscard]] Schema document_path();
/// Declares a text that becomes a part of a URL's path, at most `max` code points (`max_length`). It has no
/// segment `.` or `..`, not even percent-encoded, so that a client that normalises the path finds the same
/// resource.
[[nodiscard]] Schema url_text(std::size_t max);
/// Declares a string of 1 to 128 code points, a number or a boolean.
[[nodiscard]] Schema scalar();
/// Declares any JSON value, for answers that repeat a part of the request.
[[nodiscard]] Schema anything();
/// Declares any JSON value. The documentation describes it by `usual`, the schema of correct values.
[[nodiscard]] Schema anything_like(const Schema& usual);
/// Declares an object with any members.
[[nodiscard]] Schema any_object();
/// Declares `value` or null.
[[nodiscard]] Schema nullable(const Schema& value);

/// Returns the violations of a payload, at most the first `max_violations`, in the order in which they stand
/// in the payload. A missing field stands after the present fields of its object; several missing fields are
/// in the order of their declaration. `unknown` says whether fields that are not declared are violations.
/// A null inside the payload that is not allowed is reported as `null`. A payload that is itself null, and
/// any value of another wrong JSON type, is reported as `invalid`. A value has at most one violation of its
/// own, beside the violations of its parts and those that rules report at the value.
///
/// The work is bounded by the payload's size times the number of fields declared in one object.
[[nodiscard]] std::vector<Violation> check(const Schema& schema, const json::Value& payload,
                                           UnknownFields unknown);

}  // namespace data_import::schema
