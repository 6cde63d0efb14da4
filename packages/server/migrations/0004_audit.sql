-- compatible with: 0004

-- Changes and rejections. An entry of a change is written by its transaction, with names of fields and never their values.
CREATE TABLE audit (
  organization_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  action text NOT NULL,
  -- Identifier of the actor, or 'operator', 'system', 'anonymous'.
  actor text NOT NULL,
  request_id text,
  fields text[] NOT NULL,
  id text COLLATE "C" NOT NULL,
  actor_type text COLLATE "C" NOT NULL,
  -- Name of the actor at that instant.
  actor_name text NOT NULL,
  folded_actor_name text COLLATE "C" NOT NULL,
  address text COLLATE "C",
  outcome text COLLATE "C" NOT NULL DEFAULT 'done',
  -- Reason of a rejection, and how many equal ones of a minute share the entry. Null for changes.
  reason text COLLATE "C",
  n integer,
  PRIMARY KEY (organization_id, at, target_id)
);
-- For pages and exports: the order by the instant in milliseconds, as in `auditRows`.
CREATE INDEX audit_page ON audit (
  organization_id,
  (date_trunc('milliseconds', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'),
  id
);

-- Days for which the audit of an organization is kept ('': entries without an organization). Without a row it is kept for ever.
CREATE TABLE audit_retention (
  organization_id text COLLATE "C" PRIMARY KEY,
  days integer NOT NULL CHECK (days >= 1)
);
