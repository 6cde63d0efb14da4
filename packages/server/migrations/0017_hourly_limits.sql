-- compatible with: 0015
-- runs: outside of a transaction

-- The last writes of portal users that are limited in an hour (`write/hourly-limit.ts`).
CREATE INDEX CONCURRENTLY audit_of_limits ON audit (organization_id, at)
WHERE actor_type = 'user' AND action IN ('key.create', 'user.create', 'user.invite', 'user.test_mail')
