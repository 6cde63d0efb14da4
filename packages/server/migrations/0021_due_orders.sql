-- compatible with: 0003
-- runs: outside of a transaction

-- Orders that something becomes of by itself: active ones by the last day of their contract, and those under review, which have none
-- here, by the tenant, whose days they have, and the instant from which these count.
CREATE INDEX CONCURRENTLY employee_order_due ON employee_order (
  organization_id, status, (CASE status WHEN 'active' THEN doc::jsonb #>> '{contract,endDate}' END COLLATE "C"), tenant_id,
  submitted_at) WHERE status IN ('under_review', 'active')
