-- compatible with: 0004

-- Who changed what, written by the transaction that changed it. Names of fields, never their values.
CREATE TABLE audit (
  organization_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  action text NOT NULL,
  -- The identifier of who did it, or 'operator', 'system', 'anonymous'.
  actor text NOT NULL,
  request_id text,
  fields text[] NOT NULL,
  id text COLLATE "C" NOT NULL,
  actor_type text COLLATE "C" NOT NULL,
  -- The name of the actor at that instant.
  actor_name text NOT NULL,
  folded_actor_name text COLLATE "C" NOT NULL,
  address text COLLATE "C",
  outcome text COLLATE "C" NOT NULL DEFAULT 'done',
  -- Of a rejection: why, and how often within the minute that an entry stands for. Null in entries of changes.
  reason text COLLATE "C",
  n integer,
  PRIMARY KEY (organization_id, at, target_id)
);
-- Pages and exports of the audit in the order of the instants that are shown, as `auditRows` says them.
CREATE INDEX audit_page ON audit (
  organization_id,
  (date_trunc('milliseconds', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'),
  id
);

-- For how many days the audit of an organization is kept ('': the entries of no organization). Without a row it is kept for ever.
CREATE TABLE audit_retention (
  organization_id text COLLATE "C" PRIMARY KEY,
  days integer NOT NULL CHECK (days >= 1)
);
