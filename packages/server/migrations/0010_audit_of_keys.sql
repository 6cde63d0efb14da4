-- compatible with: 0006
-- runs: outside of a transaction

-- The history of a key, and its rejected requests.
CREATE INDEX CONCURRENTLY audit_of_keys ON audit (organization_id, target_id, outcome, at) WHERE action LIKE 'key.%'
