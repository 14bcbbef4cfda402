#include "store/content_digest.h"

#include "util/crypto.h"

namespace data_import::store {

std::string content_digest(std::string_view content) {
    constexpr std::size_t digest_bytes = 16;
    return util::to_hex(util::bytes_of(util::sha256(content)).substr(0, digest_bytes));
}

}  // namespace data_import::store
