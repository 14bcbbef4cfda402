#include "http/fixed_document.h"

#include <memory>
#include <utility>

#include "http/accept.h"
#include "util/crypto.h"
#include "util/gzip.h"
#include "util/text.h"

namespace data_import::http {

namespace {

/// Half of a digest is enough: nobody gains from two documents with the same tag.
std::string digest_of(std::string_view text) {
    constexpr std::size_t length = 16;
    const util::Sha256 digest = util::sha256(text);
    return util::to_hex(util::bytes_of(digest).substr(0, length));
}

}  // namespace

bool takes_gzip(std::string_view accept_encoding) {
    for (const char* name : {"gzip", "x-gzip", "*"}) {
        if (const auto weight = named_weight(accept_encoding, name)) return *weight > 0;
    }
    return false;
}

bool names_etag(std::string_view if_none_match, std::string_view etag) {
    if (util::trimmed(if_none_match) == "*") return true;
    std::size_t begin = if_none_match.find('"');
    while (begin != std::string_view::npos) {
        const std::size_t end = if_none_match.find('"', begin + 1);
        if (end == std::string_view::npos) return false;
        if (if_none_match.substr(begin, end + 1 - begin) == etag) return true;
        begin = if_none_match.find('"', end + 1);
    }
    return false;
}

FixedDocument::FixedDocument(std::string text) : text_(std::move(text)) {
    const std::string digest = digest_of(text_);
    etag_ = '"' + digest + '"';
    packed_etag_ = '"' + digest + "-gzip\"";
}

// A copy may be kept, and is to be asked about each time: the next version of the service may have another
// document.
void FixedDocument::answer(const Request& request, Responder& responder) {
    const bool is_packed = takes_gzip(request.accept_encoding);
    const std::string& etag = is_packed ? packed_etag_ : etag_;
    Reply reply{.body = {},
                .headers = {{"ETag", etag}, {"Vary", "Accept-Encoding"}, {"Cache-Control", "no-cache"}}};
    if (names_etag(request.if_none_match, etag)) {
        reply.status = 304;
        reply.content_type.clear();
        return responder.send(reply);
    }
    if (is_packed) {
        if (packed_.empty()) packed_ = util::gzipped(text_);
        reply.headers.emplace_back("Content-Encoding", "gzip");
    }
    reply.body = is_packed ? packed_ : text_;
    responder.send(reply);
}

Run run_of(FixedDocument document) {
    return [document = std::make_shared<FixedDocument>(std::move(document))](
               const Context& context, database::Database&, Responder& responder) {
        document->answer(context.request, responder);
    };
}

}  // namespace data_import::http
