-- compatible with: 0003
-- runs: outside of a transaction

-- Pages and exports of the audit in the order of the instants that are shown, as `auditRows` says them.
CREATE INDEX CONCURRENTLY audit_page ON audit (
  organization_id,
  (date_trunc('milliseconds', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'),
  (coalesce(id, lpad(to_hex(extract(epoch FROM at AT TIME ZONE 'UTC')::bigint), 8, '0')
    || substr(md5(organization_id || ' ' || target_id || ' ' || extract(epoch FROM at AT TIME ZONE 'UTC')::text), 1, 16)))
)
