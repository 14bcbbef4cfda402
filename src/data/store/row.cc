#include "data/store/row.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/util/datetime.h"
#include "data/json/writer.h"
#include "data/schema/node.h"
#include "data/store/columns.h"

namespace data_import::store {

namespace {

using json::Type;
using json::Value;

const schema::ArrayNode* array_of_objects_in(const schema::Schema& schema) {
    const auto* array = std::get_if<schema::ArrayNode>(&schema::without_null(schema).node().kind);
    return array != nullptr && object_in(array->item) != nullptr ? array : nullptr;
}

/// Returns the instant `sent` in a form that PostgreSQL takes. A long text is rewritten, because PostgreSQL
/// reads only a limited number of characters. The rewritten text is stored in `room`, which then has to
/// outlive the result.
std::string_view plain_instant(std::string_view sent, std::string& room) {
    constexpr std::size_t usual_length = 40;
    if (sent.size() <= usual_length) return sent;
    return room = util::to_text(util::parse_datetime(sent).value());
}

class RowWriter {
public:
    explicit RowWriter(std::vector<database::ArrayBinary>& columns) : columns_(columns) {}

    std::string text(const schema::ObjectNode& node, const Value& object) {
        writer_.begin_object();
        end_row(node, object);
        return writer_.take();
    }

private:
    void end_row(const schema::ObjectNode& node, const Value& object) {
        std::string outer = std::exchange(nulls_, {});
        write_members(node, object, "");
        if (!nulls_.empty()) writer_.key("sent_as_null").string('{' + nulls_ + '}');
        writer_.end_object();
        nulls_ = std::move(outer);
    }

    void write_members(const schema::ObjectNode& node, const Value& object, const std::string& prefix) {
        json::MembersInTurn members(object);
        for (const schema::Field& field : node.fields) {
            const auto value = members.find(field.name);
            if (!value) continue;
            const std::string column = prefix + field.name;
            if (value->is(Type::null)) {
                add_null(column);
            } else if (const schema::ObjectNode* inside = object_in(field.schema)) {
                write_members(*inside, *value, column + '_');
            } else if (const schema::ArrayNode* array = array_of_objects_in(field.schema)) {
                write_items(*array, field, *value, column);
            } else {
                write_value(field.schema, *value, column);
            }
        }
    }

    void add_null(const std::string& column) { (nulls_ += nulls_.empty() ? "" : ",") += column; }

    // Numbers in a field that takes any scalar are written as they were sent, because their notation tells
    // their type.
    void write_value(const schema::Schema& schema, const Value& value, std::string_view column) {
        writer_.key(column);
        const auto& kind = schema::without_null(schema).node().kind;
        std::string room;
        if (std::holds_alternative<schema::DatetimeNode>(kind)) {
            writer_.string(plain_instant(value.text(), room));
        } else if (std::holds_alternative<schema::DecimalNode>(kind)) {
            const std::string_view plain = taken_decimal(value.text(), room);
            value.is(Type::number) ? writer_.raw(plain) : writer_.string(plain);
        } else {
            writer_.value(value);
        }
    }

    void write_items(const schema::ArrayNode& array, const schema::Field& field, const Value& items,
                     const std::string& column) {
        if (!array.columns.empty()) {
            for (database::ArrayBinary& values : columns_of(array.item, items).columns) {
                if (values.type() == database::ElementType::text) values.keep_once();
                columns_.push_back(std::move(values));
            }
            return;
        }
        if (!field.required) writer_.key("has_" + column).boolean(true);
        writer_.key(column).begin_array();
        std::int64_t ordinal = 0;
        for (const Value item : items.items()) {
            writer_.begin_object().key("ordinal").integer(ordinal++);
            end_row(*object_in(array.item), item);
        }
        writer_.end_array();
    }

    std::vector<database::ArrayBinary>& columns_;
    json::Writer writer_;
    std::string nulls_;  ///< null columns of the row that is being written, with commas between them
};

}  // namespace

RecordRow row_of(const schema::Schema& declared, const Value& object) {
    RecordRow row;
    row.text = RowWriter(row.columns).text(*object_in(declared), object);
    return row;
}

}  // namespace data_import::store
