#include "service/http/fixed_document.h"

#include <memory>
#include <utility>

#include "base/util/crypto.h"
#include "base/util/gzip.h"
#include "service/http/header_fields.h"

namespace data_import::http {

namespace {

/// Returns the first half of the SHA-256 digest in hexadecimal digits. Half is enough for an ETag, because
/// nobody would gain from a second document with the same ETag.
std::string digest_of(std::string_view text) {
    constexpr std::size_t length = 16;
    const util::Sha256 digest = util::sha256(text);
    return util::to_hex(util::bytes_of(digest).substr(0, length));
}

}  // namespace

FixedDocument::FixedDocument(std::string text) : text_(std::move(text)) {
    const std::string digest = digest_of(text_);
    etag_ = '"' + digest + '"';
    packed_etag_ = '"' + digest + "-gzip\"";
}

// Clients may keep a copy, but have to ask each time whether it is still valid: the next version of the
// service may have another document.
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
