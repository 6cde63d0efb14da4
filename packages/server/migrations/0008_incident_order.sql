-- compatible with: 0006
-- runs: outside of a transaction

-- Payroll reads the leaves of an order.
CREATE INDEX CONCURRENTLY incident_order ON incident (organization_id, order_id) WHERE order_id IS NOT NULL
