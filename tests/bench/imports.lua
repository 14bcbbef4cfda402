-- wrk script: one note per request, never sent before, for a random account of the benchmark's book.
-- Environment: TOKEN; RUN, a text that differs between runs; SUPPLIER, ACCOUNTS.
local path = "/v1/data-import/notes/create/"
local headers = {["Authorization"] = "Token " .. os.getenv("TOKEN"), ["Content-Type"] = "application/json"}
local supplier, accounts, run = os.getenv("SUPPLIER"), tonumber(os.getenv("ACCOUNTS")), os.getenv("RUN")
local threads, sent = 0, 0

function setup(thread)
    threads = threads + 1
    thread:set("number", threads)
end

function init()
    created, refused = 0, 0
    math.randomseed(number * 7919 + #run)
end

function request()
    sent = sent + 1
    local body = string.format(
        '{"import_supplier":"%s","external_account_number":"EXT-%06d","notes":[{"body":"Kunde rief wegen der '
            .. 'Jahresabrechnung an, Abschlag angepasst. Vorgang %s-%d-%d","created_at":"2020-01-%02dT12:%02d:00Z",'
            .. '"is_pinned":%s,"document_paths":[{"document_path":"briefe/2020/%d.pdf"}]}]}',
        supplier, math.random(accounts), run, number, sent, sent % 28 + 1, sent % 60, tostring(sent % 2 == 1), sent)
    return wrk.format("POST", path, headers, body)
end

function response(status, _, body)
    if status == 201 and body:find("NOTE_CREATION_SUCCESS", 1, true) then
        created = created + 1
    else
        refused = refused + 1
        if refused == 1 then io.stderr:write(status, " ", body:sub(1, 300), "\n") end
    end
end

function done(summary, latency)
    -- the counters live in the threads; every answer that was no 201 is also in wrk's own error count
    local errors = summary.errors
    io.write(string.format("requests=%d seconds=%.3f p50_ms=%.3f p99_ms=%.3f errors=%d\n", summary.requests,
        summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
