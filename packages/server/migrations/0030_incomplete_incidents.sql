-- compatible with: 0015
-- runs: outside of a transaction

-- The reports that lack something, which are few among many.
CREATE INDEX CONCURRENTLY incident_draft ON incident (organization_id, tenant_id, created_at) WHERE status = 'draft'
