-- compatible with: 0006
-- runs: outside of a transaction

-- The history of an order or an incident.
CREATE INDEX CONCURRENTLY audit_of_work ON audit (organization_id, target_id, at) WHERE action LIKE 'order.%' OR action LIKE 'incident.%'
