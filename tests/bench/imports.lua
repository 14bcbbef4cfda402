-- wrk script: imports that were never sent before.
-- Environment: MODE, TOKEN, RUN (a text that differs between runs), SUPPLIER, ACCOUNTS, CONNECTIONS.
-- MODE is notesN (N notes a request), txN (N transactions), statementsN, amountsN (a delivery note with N amounts), linesN
--   (an invoice with N lines), sheetsN (N price sheets), book (all requests of one account after another, as many accounts
--   at a time as there are connections), book-bulk (the requests of three accounts as one bulk request), book-bulk-gzip
--   (the same, compressed), or rows-bulk-gzip (the records of the book that CSV can hold, of sixty accounts a request).
--   With the suffix -keyed (not for bulk requests) each request has an Idempotency-Key of its own.
-- Prints one line; records= is the number of records in one round of requests, requests_of_round= the number of requests.
-- With FILES it sends nothing, but writes files into this folder for data-import-load: the book of FILE_ACCOUNTS accounts as
--   book.ndjson, or for rows-bulk-gzip as one CSV file for each kind. It prints the number of records in the files.
local mode, run = os.getenv("MODE"), os.getenv("RUN")
local supplier, accounts = os.getenv("SUPPLIER"), tonumber(os.getenv("ACCOUNTS"))
local connections = tonumber(os.getenv("CONNECTIONS"))
local files, file_accounts = os.getenv("FILES"), tonumber(os.getenv("FILE_ACCOUNTS"))
local headers = {["Authorization"] = "Token " .. (os.getenv("TOKEN") or ""), ["Content-Type"] = "application/json"}
local threads, sent = 0, 0
local is_keyed = mode:match("%-keyed$") ~= nil
mode = mode:gsub("%-keyed$", "")
local format, concat = string.format, table.concat

-- Cuts a text into pieces at its marks: \1 stands for the account's number and \2 for a text that is new in every request.
-- The text is repeated `times` times, and each part gets values of its own. Filling the values in is cheap even for a long
-- text, because the places of the marks are known. The first piece is empty; the head of the request goes there.
local function cut(text, times)
    local pieces, places, size = {""}, {}, 0
    for part = 1, times or 1 do
        for literal, mark in text:gmatch("([^\1\2]*)([\1\2]?)") do
            pieces[#pieces + 1] = literal
            size = size + #literal
            if mark ~= "" then
                pieces[#pieces + 1] = ""
                places[#places + 1] = {at = #pieces, part = part, mark = mark}
            end
        end
    end
    return {pieces = pieces, places = places, size = size}
end

-- Fills in the values of each part and returns the length of the whole text.
local function fill(template, values)
    local size = template.size
    for _, place in ipairs(template.places) do
        local value = values[place.part][place.mark]
        template.pieces[place.at] = value
        size = size + #value
    end
    return size
end

local function text_of(template, values)
    fill(template, values)
    template.pieces[1] = ""
    return concat(template.pieces)
end

local function account_template(path, field, value)
    local text = format('{"import_supplier":"%s","external_account_number":"EXT-\1","%s":%s}', supplier, field, value)
    return {path = "/v1/data-import/" .. path .. "/create/", text = text, body = cut(text)}
end

local function items(count, item)
    local all = {}
    for number = 1, count do all[number] = item(number) end
    return all
end

local function array(count, item) return "[" .. concat(items(count, item), ",") .. "]" end

local function note(number)
    return format('{"body":"Kunde rief wegen der Jahresabrechnung an, Abschlag angepasst. Vorgang \2-%d",'
        .. '"created_at":"2020-01-%02dT12:%02d:00Z","is_pinned":%s,"document_paths":[{"document_path":"briefe/2020/%d.pdf"}]}',
        number, number % 28 + 1, number % 60, tostring(number % 2 == 1), number)
end

local function charge(number)
    return format('{"transaction_id":"\2-%d","transaction_date":"2019-%02d-%02d","amount":%d.%02d,"type":"CHARGE",'
        .. '"reason":"IMPORTED_CHARGE","display_note":"Abschlag %d","note":"Zeile %d des Altsystems"}',
        number, number % 12 + 1, number % 28 + 1, number * 7 % 900 + 1, number * 13 % 100, number, number)
end

local function supply_charge(number)
    return format('{"transaction_id":"\2-%d","transaction_date":"2019-%02d-28","amount":71.4,"type":"SUPPLY_CHARGE",'
        .. '"product_code":"STROM_BASIS","display_note":"Strom","line_items":[{"rate_band":"ARBEIT",'
        .. '"start_date":"2019-%02d-01","end_date":"2019-%02d-28","number_of_units":200,"net_amount":60,'
        .. '"price_per_unit":0.3}],"tax_items":[{"amount":11.4,"tax_type":"VAT","value_taxed":60,"rate":0.19,'
        .. '"unit_type":"PROPORTION"}]}', number, number % 12 + 1, number % 12 + 1, number % 12 + 1)
end

local function statement(number)
    return format('{"statement_id":"\2-%d","bill_period_from_date":"20%02d-%02d-01","bill_period_to_date":"20%02d-%02d-28",'
        .. '"issued_date":"2019-01-05","number":"%d","gross_amount":86.42,"statement_path":"rechnungen/%d.pdf",'
        .. '"supply_type":"ELECTRICITY"}', number, 17 + number / 12 % 3, number % 12 + 1, 17 + number / 12 % 3, number % 12 + 1,
        number, number)
end

local function quarter_hour(number)
    local minute = (number - 1) % 96 * 15
    return format('{"period_start_at":"2024-01-31T%02d:%02d:00Z","period_end_at":"2024-01-31T%02d:%02d:59Z",'
        .. '"product_identifier":"1-1:1.29.0","product_identifier_type":"SRW","quantity":"0.%03d000000",'
        .. '"quantity_unit":"KWH","line_item_identifier":"%d"}', minute / 60, minute % 60, minute / 60, minute % 60 + 14,
        number % 1000, number)
end

local function delivery_note(amounts)
    return '{"malo_number":"50812345678","amounts":' .. array(amounts, quarter_hour)
        .. ',"cancelled":false,"validation_status":true,"edifact_reference_number":"LS-\2"}'
end

local energy_amount = '{"malo_number":"50812345678","period_start_at":"2024-01-01T00:00:00Z",'
    .. '"period_end_at":"2024-02-01T00:00:00Z","product_identifier":"1-1:1.29.0","product_identifier_type":"SRW",'
    .. '"quantity":"245.123000000","quantity_unit":"KWH","line_item_identifier":"1","cancelled":false,'
    .. '"edifact_reference_number":"EM-\2"}'

local function invoice_line(number)
    return format('{"position":%d,"article":"4-01-7-0%d","article_type":"BDEW","quantity":"1.000000000",'
        .. '"quantity_unit":"H87","period_start_at":"2024-01-01T00:00:00Z","period_end_at":"2024-02-01T00:00:00Z",'
        .. '"amount_net":210,"price":"2.100000000","tax_rate":"19.0000","tax_rate_type":"S"}', number, number % 10)
end

local address = '{"name":"Netz","street":"Netzweg 1","city":"Berlin","postcode":"10115","country_code":"DE"}'

local function invoice(lines)
    return '{"invoice_type":"INVOICE","invoice_document_type":"NETWORK_USAGE","invoice_number":"R-\2","status":"CLOSED",'
        .. '"issued_at":"2024-02-05T09:00:00Z","due_at":"2024-02-19T00:00:00Z","malo_number":"50812345678",'
        .. '"amount_total":2499,"amount_due":2499,"external_id":"I-\2","sender_id":9900000000001,'
        .. '"recipient_id":9900000000002,"sender_address":' .. address .. ',"recipient_address":' .. address
        .. ',"line_items":' .. array(lines, invoice_line)
        .. ',"tax_amounts":[{"tax_rate":"19.0000","tax_rate_type":"S","tax_amount_assessment_basis":2100,"tax_amount":399}]}'
end

local function price_sheet(number)
    return format('{"market_participant_code":9900000000001,"price_sheet_type":"Z32","document_number":"P-\2-%d",'
        .. '"active_from":"2024-01-01T00:00:00Z","external_id":"\2-%d",'
        .. '"article_prices":[{"article_id":"1-01-6-001","price_cents":"1250.0000"}]}', number, number)
end

-- Functions that make a request with `count` items, by kind.
local kinds = {
    notes = function(count) return account_template("notes", "notes", array(count, note)) end,
    tx = function(count) return account_template("transactions", "transactions", array(count, charge)) end,
    statements = function(count) return account_template("historical-statements", "statements", array(count, statement)) end,
    amounts = function(count) return account_template("delivery-note", "delivery_note", delivery_note(count)) end,
    lines = function(count)
        return account_template("market-participant-invoice", "market_participant_invoice", invoice(count))
    end,
    sheets = function(count)
        local body = '{"price_sheets":' .. array(count, price_sheet) .. '}'
        return {path = "/v1/data-import/market-participant-fees/import/", body = cut(body)}
    end
}

local function transaction(number) return number <= 4 and supply_charge(number) or charge(number) end

-- The records of the book that CSV can hold.
local function rows()
    local templates = {
        kinds.notes(5), account_template("transactions", "transactions", array(40, transaction)), kinds.statements(24)
    }
    for _ = 1, 12 do templates[#templates + 1] = account_template("energy-amount", "energy_amount", energy_amount) end
    return templates, 5 + 40 + 24 + 12
end

local function book()
    local templates, records = rows()
    for _ = 1, 12 do templates[#templates + 1] = kinds.amounts(96) end
    for _ = 1, 4 do templates[#templates + 1] = kinds.lines(10) end
    return templates, records + 12 + 4
end

-- All requests of an account as lines of a bulk request.
local function lines_of(templates)
    local lines = {}
    for number, template in ipairs(templates) do
        local text = template.text:gsub("\2", "\2-" .. number)
        lines[number] = format('{"path":"%s","body":%s}\n', template.path, text)
    end
    return concat(lines)
end

local function gzip()
    local ffi = require("ffi")
    ffi.cdef [[
        typedef struct {
            const char *next_in; unsigned avail_in; unsigned long total_in; char *next_out; unsigned avail_out;
            unsigned long total_out; const char *msg; void *state, *zalloc, *zfree, *opaque; int data_type;
            unsigned long adler, reserved;
        } z_stream;
        int deflateInit2_(z_stream *, int, int, int, int, int, const char *, int);
        int deflate(z_stream *, int);
        int deflateReset(z_stream *);
        unsigned long deflateBound(z_stream *, unsigned long);
    ]]
    local z, stream = ffi.load("z"), ffi.new("z_stream")
    assert(z.deflateInit2_(stream, 1, 8, 31, 8, 0, "1.2", ffi.sizeof(stream)) == 0)
    return function(text)
        local size = tonumber(z.deflateBound(stream, #text))
        local packed = ffi.new("char[?]", size)
        stream.next_in, stream.avail_in, stream.next_out, stream.avail_out = text, #text, packed, size
        assert(z.deflate(stream, 4) == 1)
        local result = ffi.string(packed, stream.total_out)
        z.deflateReset(stream)
        return result
    end
end

local function one_kind()
    local kind, count = mode:match("^(%a+)(%d+)$")
    local is_one_record = kind == "amounts" or kind == "lines"
    return {kinds[kind](tonumber(count))}, is_one_record and 1 or tonumber(count)
end

-- Returns the names of the columns of a JSON object in their order, and its cells by these names. Texts must hold no escapes.
local function cells_of(json)
    local names, cells, at = {}, {}, 1
    local function value(name)
        local opening = json:sub(at, at)
        if opening ~= "{" and opening ~= "[" then
            local cell, behind = json:match('^"([^"]*)"()', at)
            if not cell then cell, behind = json:match("^([^,}%]]+)()", at) end
            names[#names + 1], cells[name], at = name, cell, behind
            return
        end
        local item = 0
        repeat
            at = at + 1
            local key, behind = item, at
            if opening == "{" then key, behind = json:match('^"([^"]+)":()', at) end
            at, item = behind, item + 1
            value(name == "" and key or name .. "." .. key)
        until json:sub(at, at) ~= ","
        at = at + 1
    end
    value("")
    return names, cells
end

-- Returns a CSV header with every column that any of the items has, and the items as rows.
local function csv(items)
    local columns, known, all, text = {}, {}, {}, {}
    for number, item in ipairs(items) do
        local names, cells = cells_of(item)
        all[number] = cells
        for _, name in ipairs(names) do
            if not known[name] then columns[#columns + 1], known[name] = name, true end
        end
    end
    for number, cells in ipairs(all) do
        local row = {supplier, "EXT-\1"}
        for _, column in ipairs(columns) do
            local cell = cells[column] or ""
            row[#row + 1] = cell:find(",", 1, true) and '"' .. cell .. '"' or cell
        end
        text[number] = concat(row, ",") .. "\n"
    end
    return "import_supplier,external_account_number," .. concat(columns, ",") .. "\n", concat(text)
end

local function write_file(name, head, text)
    local template, file = cut(text), assert(io.open(files .. "/" .. name, "w"))
    file:write(head)
    for account = 1, file_accounts do
        file:write(text_of(template, {{["\1"] = format("%06d", account), ["\2"] = run .. "-" .. account}}))
    end
    assert(file:close())
end

local function numbered_energy_amount(number) return (energy_amount:gsub("\2", "\2-" .. number)) end

local function write_csv()
    write_file("notes.csv", csv(items(5, note)))
    write_file("transactions.csv", csv(items(40, transaction)))
    write_file("statements.csv", csv(items(24, statement)))
    write_file("energy-amounts.csv", csv(items(12, numbered_energy_amount)))
end

local templates, records, lines, pack
local accounts_of_bulk = mode == "rows-bulk-gzip" and 60 or 3
local is_bulk = mode:match("%-bulk") ~= nil
if mode:match("^book") then
    templates, records = book()
elseif mode == "rows-bulk-gzip" then
    templates, records = rows()
else
    templates, records = one_kind()
end
if is_bulk then
    lines = lines_of(templates)
    headers["Content-Type"] = "application/x-ndjson"
end
if mode:match("%-gzip$") then
    headers["Content-Encoding"] = "gzip"
    pack = gzip()
end
if files then
    if mode == "rows-bulk-gzip" then write_csv() else write_file("book.ndjson", "", lines) end
    io.write(format("records=%d\n", file_accounts * records))
    os.exit(0)
end
lines = lines and cut(lines, accounts_of_bulk)

function setup(thread)
    threads = threads + 1
    thread:set("number", threads)
end

function init()
    created, refused = 0, 0
    math.randomseed(number * 7919 + #run)
    first_account = tonumber(os.getenv("FIRST_ACCOUNT")) or math.random(accounts)
end

-- The template and the account of the next request.
local function next_request()
    if mode ~= "book" then return templates[1], math.random(accounts) end
    local round = math.floor(sent / connections)
    local account = first_account + math.floor(round / #templates) * connections + sent % connections
    return templates[round % #templates + 1], account % accounts + 1
end

-- Makes a request and copies its long body only once; wrk.format would need the body as a separate text.
local function message(path, template, values)
    local size = fill(template, values)
    local head = {"POST " .. path .. " HTTP/1.1", "Host: " .. wrk.headers["Host"], "Content-Length: " .. size}
    for name, value in pairs(headers) do head[#head + 1] = name .. ": " .. value end
    template.pieces[1] = concat(head, "\r\n") .. "\r\n\r\n"
    return concat(template.pieces)
end

local function bulk_request()
    local path, values = "/v1/data-import/bulk/?results=errors", {}
    for part = 1, accounts_of_bulk do
        sent = sent + 1
        values[part] = {["\1"] = format("%06d", (first_account + sent) % accounts + 1),
                        ["\2"] = format("%s-%d-%d", run, number, sent)}
    end
    if pack then return wrk.format("POST", path, headers, pack(text_of(lines, values))) end
    return message(path, lines, values)
end

function request()
    if is_bulk then return bulk_request() end
    local template, account = next_request()
    sent = sent + 1
    local mark = format("%s-%d-%d", run, number, sent)
    if is_keyed then headers["Idempotency-Key"] = mark end
    return message(template.path, template.body, {{["\1"] = format("%06d", account), ["\2"] = mark}})
end

function response(status, _, body)
    if status == (is_bulk and 200 or 201) then
        created = created + 1
    else
        refused = refused + 1
        if refused == 1 then io.stderr:write(status, " ", body:sub(1, 300), "\n") end
    end
end

function done(summary, latency)
    -- the counters of the threads are out of reach here; wrk's own error count includes every answer that is not 2xx or 3xx
    local errors = summary.errors
    io.write(format("requests=%d seconds=%.3f p50_ms=%.3f p99_ms=%.3f errors=%d records=%d requests_of_round=%g\n",
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout, records,
        is_bulk and 1 / accounts_of_bulk or #templates))
end
