// The version of this build; packages set DATA_IMPORT_VERSION.
#pragma once

#ifndef DATA_IMPORT_VERSION
#define DATA_IMPORT_VERSION "1.1.0-dev"
#endif

namespace data_import::util {

inline constexpr const char* version = DATA_IMPORT_VERSION;

}  // namespace data_import::util
