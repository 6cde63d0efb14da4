-- compatible with: 0003

CREATE TABLE api_key (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization,
  -- The 12 base62 characters of the key's text that identify it. The secret is stored as an HMAC only.
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  whole_organization boolean NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'deleted')),
  quota_requests integer CHECK (quota_requests > 0),
  quota_seconds integer CHECK (quota_seconds > 0),
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  last_used_at timestamptz,
  -- Null: the key does not expire.
  expires_at timestamptz,
  folded_name text COLLATE "C" NOT NULL,
  -- The last four characters of the key's text.
  last_four text COLLATE "C" NOT NULL,
  -- The actor that created the key.
  created_by_type text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  -- The key that replaces this one.
  replaced_by text COLLATE "C",
  last_success_at timestamptz,
  -- A bit for each of the last ten requests, the newest lowest: whether it failed (key-use.ts).
  recent_failures bit(10) NOT NULL DEFAULT B'0000000000',
  -- Pauses are measured from here if it is later than the last success: the key was reactivated, or an interval was set.
  watched_from timestamptz,
  -- Expected seconds between successful requests, set by a user; null: computed from key_usage.longest_pause.
  expected_interval integer,
  -- When missing activity was last reported. It is reported again only after another success.
  no_recent_activity_reported_at timestamptz,
  -- When its contacts were last reminded that it expires.
  expiry_reminded_at timestamptz,
  PRIMARY KEY (organization_id, id),
  CHECK ((quota_requests IS NULL) = (quota_seconds IS NULL))
);
CREATE INDEX api_key_expiry ON api_key (organization_id, expires_at) WHERE status = 'active' AND expires_at IS NOT NULL;

-- One row for each granted tenant (division_id null: all of its divisions) or division.
CREATE TABLE api_key_grant (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  division_id text COLLATE "C",
  UNIQUE NULLS NOT DISTINCT (organization_id, key_id, tenant_id, division_id),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key,
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant,
  FOREIGN KEY (organization_id, tenant_id, division_id) REFERENCES division (organization_id, tenant_id, id)
);
-- division_id may be null, so there is no primary key. Citus moves shards only of tables with a replica identity.
ALTER TABLE api_key_grant REPLICA IDENTITY FULL;

-- The organization of a key: a lookup by the identifier alone reads one row of one node. It is inserted with the key and never
-- changed.
CREATE TABLE key_organization (
  key_id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL
);

-- Requests of a key per day in UTC.
CREATE TABLE key_usage (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  requests bigint NOT NULL,
  -- Rejected: 4xx without 429. Limited: 429. Failed: 5xx.
  rejected bigint NOT NULL,
  limited bigint NOT NULL,
  failed bigint NOT NULL,
  last_at timestamptz NOT NULL,
  -- Seconds of the longest pause between successful requests that ended on this day.
  longest_pause integer,
  PRIMARY KEY (organization_id, key_id, day),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);

-- Requests of a key in each of the last 24 hours. An hour has the row of its number in the day, which the next day overwrites.
CREATE TABLE key_hour (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  -- In UTC.
  hour_of_day integer NOT NULL,
  -- When the hour began.
  hour timestamptz NOT NULL,
  requests bigint NOT NULL,
  failures bigint NOT NULL,
  PRIMARY KEY (organization_id, key_id, hour_of_day),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);

-- Requests of a key per day in UTC and operation.
CREATE TABLE key_operation (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  operation text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  rejected bigint NOT NULL,
  limited bigint NOT NULL,
  failed bigint NOT NULL,
  PRIMARY KEY (organization_id, key_id, day, operation),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);
CREATE INDEX key_operation_day ON key_operation (organization_id, day);

-- Equal error responses to a key; the groups without an error for longest are deleted.
CREATE TABLE key_error (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  -- The message without its numbers: responses that differ only in a position or an index are equal.
  pattern text COLLATE "C" NOT NULL,
  status integer NOT NULL,
  -- The newest message.
  message text NOT NULL,
  count bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  -- The latest requests, the newest first.
  request_ids text[] NOT NULL,
  PRIMARY KEY (organization_id, key_id, operation, code, pattern),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);
CREATE INDEX key_error_at ON key_error (organization_id, last_at);

-- How far a polling key has read each collection, as an instant of the organization clock.
CREATE TABLE key_poll (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  asked_at timestamptz NOT NULL,
  read_to timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key_id, operation),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);

-- A token of the platform API. It may be for all organizations, so it belongs to none. The secret is stored as an HMAC only.
CREATE TABLE platform_token (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  -- The organizations that the token is for; null: all.
  organizations text[],
  permissions text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz
);
