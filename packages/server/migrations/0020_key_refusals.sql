-- compatible with: 0003

-- Of the requests of a key on a day: those that were refused (4xx), for lack of quota (429) apart, and those that failed (5xx); and when
-- the last one came. Processes of the version before go on counting requests only.
ALTER TABLE key_usage
  ADD COLUMN refused bigint NOT NULL DEFAULT 0,
  ADD COLUMN limited bigint NOT NULL DEFAULT 0,
  ADD COLUMN failed bigint NOT NULL DEFAULT 0,
  ADD COLUMN last_at timestamptz;
