-- compatible with: 0003
-- runs: in batches

-- Entries from before get an identifier, which follows from what they are, and who it was. The name of a key never changes.
UPDATE audit SET
  id = lpad(to_hex(extract(epoch FROM at AT TIME ZONE 'UTC')::bigint), 8, '0')
    || substr(md5(organization_id || ' ' || target_id || ' ' || extract(epoch FROM at AT TIME ZONE 'UTC')::text), 1, 16),
  actor_type = CASE actor WHEN 'operator' THEN 'operator' ELSE 'api_key' END,
  actor_name = coalesce(
    (SELECT k.name FROM api_key k WHERE k.organization_id = audit.organization_id AND k.id = audit.actor), actor)
WHERE (organization_id, at, target_id) IN (
  SELECT organization_id, at, target_id FROM audit
  WHERE id IS NULL AND at < (SELECT applied_at FROM migration WHERE name = '0012_audit_log') LIMIT 1000)
