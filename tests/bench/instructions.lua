-- wrk script: payment instructions that were never sent before, for the vendor `stuck`.
-- Environment: TOKEN, SUPPLIER.
local headers = {["Authorization"] = "Token " .. os.getenv("TOKEN"), ["Content-Type"] = "application/json"}
local supplier, sent = os.getenv("SUPPLIER"), 0

function request()
    sent = sent + 1
    return wrk.format("POST", "/v1/data-import/payment-instruction/create/", headers, string.format(
        '{"import_supplier":"%s","external_account_number":"EXT-%06d","vendor":"stuck","reference":"%d-%d",'
            .. '"type":"CARD"}',
        supplier, sent % 1000 + 1, os.time(), sent))
end
