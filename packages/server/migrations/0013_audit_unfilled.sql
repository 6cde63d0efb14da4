-- compatible with: 0003
-- runs: outside of a transaction

-- Entries from before, which the next migration fills. The next release drops it.
CREATE INDEX CONCURRENTLY audit_unfilled ON audit (organization_id, at, target_id) WHERE id IS NULL
