// Reads and changes the stack's database for tests, as its administrator.
#pragma once

#include <memory>
#include <string>
#include <vector>

struct pg_conn;

namespace data_import::tests {

class AdminSession {
public:
    /// `conninfo` is the DATABASE_URL of a stack. Throws std::runtime_error if the server is away.
    explicit AdminSession(const std::string& conninfo);

    /// Returns rows of text, with NULL as an empty text. `binary` are further parameters, in PostgreSQL's
    /// binary form. Throws std::runtime_error with PostgreSQL's message.
    std::vector<std::vector<std::string>> rows(const std::string& sql,
                                               const std::vector<std::string>& parameters = {},
                                               const std::vector<std::string>& binary = {});
    /// The only value of the only row.
    std::string value(const std::string& sql, const std::vector<std::string>& parameters = {});
    long count(const std::string& sql, const std::vector<std::string>& parameters = {});

private:
    std::unique_ptr<pg_conn, void (*)(pg_conn*)> connection_;
};

}  // namespace data_import::tests
