-- compatible with: 0003

CREATE TABLE api_key (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization,
  -- The 12 base62 characters that name the key; the secret is stored as an HMAC only.
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  whole_organization boolean NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'deleted')),
  quota_requests integer CHECK (quota_requests > 0),
  quota_seconds integer CHECK (quota_seconds > 0),
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  last_used_at timestamptz,
  -- The key stops working at this instant; null: it does not expire.
  expires_at timestamptz,
  folded_name text COLLATE "C" NOT NULL,
  -- The last four characters of its text.
  last_four text COLLATE "C",
  -- Who made it: type and identifier of the actor.
  created_by_type text COLLATE "C",
  created_by text COLLATE "C",
  -- The key that was made to take its place.
  replaced_by text COLLATE "C",
  last_success_at timestamptz,
  -- Its pauses count from here on where that is later than the last success: it was reactivated, or is watched since.
  watched_from timestamptz,
  -- In which it is expected to succeed again, in seconds, as a user has set it; null: it is computed from key_usage.longest_pause.
  expected_interval integer,
  -- When it was last reported that it has no recent activity; it is reported again after its next success only.
  no_recent_activity_reported_at timestamptz,
  PRIMARY KEY (organization_id, id),
  CHECK ((quota_requests IS NULL) = (quota_seconds IS NULL))
);
CREATE INDEX api_key_end ON api_key (organization_id, expires_at) WHERE status = 'active' AND expires_at IS NOT NULL;

-- One row a granted tenant (division_id null: all of its divisions) or granted division.
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
-- It has no primary key, since division_id may be null. A cluster can only move rows to another node that it can name.
ALTER TABLE api_key_grant REPLICA IDENTITY FULL;

-- Which organization a key belongs to, so that its identifier is looked up in one place, and not on every node that tables are
-- distributed over. It is written with the key and never changed.
CREATE TABLE key_organization (
  key_id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL
);

-- Requests of a key by the day (UTC).
CREATE TABLE key_usage (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  requests bigint NOT NULL,
  -- Of these, those that were rejected (4xx), for lack of quota (429) apart, those that failed (5xx), and when the last one came.
  rejected bigint NOT NULL DEFAULT 0,
  limited bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  last_at timestamptz,
  -- The longest pause, in seconds, that ended on this day.
  longest_pause integer,
  PRIMARY KEY (organization_id, key_id, day),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);

-- Requests of a key by the day (UTC) and the operation.
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

-- The last answers of a key that were no success, a few of each.
CREATE TABLE key_error (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  operation text COLLATE "C" NOT NULL,
  status integer NOT NULL,
  code text COLLATE "C" NOT NULL,
  message text NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, key_id, id),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);
CREATE INDEX key_error_at ON key_error (organization_id, at);

-- How far a key that polls has read each collection: up to which instant of the clock of the organization.
CREATE TABLE key_poll (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  asked_at timestamptz NOT NULL,
  read_to timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key_id, operation),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);

-- Of which end of a key somebody was reminded, so many days before it.
CREATE TABLE key_reminder (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  -- The end, to the millisecond.
  expires_at timestamptz NOT NULL,
  days integer NOT NULL,
  reminded_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key_id, expires_at, days),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);

-- A token of the platform API. It may work for all organizations, hence belongs to none; the secret is stored as an HMAC only.
CREATE TABLE platform_token (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  -- The organizations that it works for; null: all.
  organizations text[],
  permissions text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz
);
