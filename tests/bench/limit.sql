-- pgbench: stores one note in one statement, as a client of the database would do it if it trusted its input.
\set number random(1, :accounts)
\set identity random(1, 9007199254740991)
INSERT INTO data_import.note (account_key, identity, created_at, body, document_paths, is_pinned, has_created_at,
                              has_is_pinned, request_id, api_key_id)
SELECT account.account_key, lpad(to_hex(:identity::bigint), 32, '0')::uuid, '2020-01-05T12:00:00Z',
       'Kunde rief wegen der Jahresabrechnung an, Abschlag angepasst. Vorgang ' || :identity::bigint,
       '{briefe/2020/1.pdf}', true, true, true, gen_random_uuid(), 1
FROM data_import.account
WHERE account.account_key = data_import.account_key('BENCH', 'EXT-' || lpad((:number::bigint)::text, 6, '0'))
  AND account.state = 'imported'
ON CONFLICT DO NOTHING;
