-- compatible with: 0003
-- runs: outside of a transaction

-- Keys that come to their end.
CREATE INDEX CONCURRENTLY api_key_end ON api_key (organization_id, expires_at) WHERE status = 'active' AND expires_at IS NOT NULL
