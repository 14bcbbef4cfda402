#include "database.h"

#include <libpq-fe.h>

#include <stdexcept>

namespace data_import::tests {

namespace {

using Result = std::unique_ptr<PGresult, void (*)(PGresult*)>;

std::vector<std::string> row_of(const PGresult* result, int row) {
    std::vector<std::string> values;
    for (int column = 0; column < PQnfields(result); ++column)
        values.emplace_back(PQgetvalue(result, row, column));
    return values;
}

}  // namespace

AdminSession::AdminSession(const std::string& conninfo)
    : connection_(PQconnectdb(conninfo.c_str()), &PQfinish) {
    if (PQstatus(connection_.get()) != CONNECTION_OK)
        throw std::runtime_error(PQerrorMessage(connection_.get()));
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
}

std::vector<std::vector<std::string>> AdminSession::rows(const std::string& sql,
                                                         const std::vector<std::string>& parameters,
                                                         const std::vector<std::string>& binary) {
    std::vector<const char*> values;
    std::vector<int> lengths;
    for (const auto* some : {&parameters, &binary}) {
        for (const std::string& parameter : *some) {
            values.push_back(parameter.c_str());
            lengths.push_back(static_cast<int>(parameter.size()));
        }
    }
    std::vector<int> formats(parameters.size(), 0);
    formats.resize(values.size(), 1);
    const Result result(PQexecParams(connection_.get(), sql.c_str(), static_cast<int>(values.size()), nullptr,
                                     values.data(), lengths.data(), formats.data(), 0),
                        &PQclear);
    const ExecStatusType status = PQresultStatus(result.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        throw std::runtime_error(PQerrorMessage(connection_.get()));
    }
    std::vector<std::vector<std::string>> found;
    for (int row = 0; row < PQntuples(result.get()); ++row) found.push_back(row_of(result.get(), row));
    return found;
}

std::string AdminSession::value(const std::string& sql, const std::vector<std::string>& parameters) {
    return rows(sql, parameters).at(0).at(0);
}

long AdminSession::count(const std::string& sql, const std::vector<std::string>& parameters) {
    return std::stol(value(sql, parameters));
}

}  // namespace data_import::tests
