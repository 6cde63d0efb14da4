-- compatible with: 0003
-- runs: outside of a transaction

CREATE UNIQUE INDEX CONCURRENTLY employee_order_external_id ON employee_order (organization_id, external_id)
  WHERE external_id IS NOT NULL
