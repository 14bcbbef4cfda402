#include "net/server.h"

namespace data_import::net {

std::string authority_of(const Server& server) {
    const bool is_address = server.host.find(':') != std::string::npos;
    return (is_address ? '[' + server.host + ']' : server.host) + ':' + std::to_string(server.port);
}

}  // namespace data_import::net
