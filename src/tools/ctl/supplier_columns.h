// The columns of a supplier in tables and in JSON.
#pragma once

#include "data/store/suppliers.h"
#include "tools/ctl/columns.h"

namespace data_import::ctl {

inline const Columns<store::Supplier> supplier_columns = {
    {"code", "CODE", &store::Supplier::code},
    {"name", "NAME", &store::Supplier::name},
    {"status", "STATUS", &store::Supplier::status},
    {"document_root", "DOCUMENT ROOT", &store::Supplier::document_root},
    {"created_at", "", &store::Supplier::created_at},
};

}  // namespace data_import::ctl
