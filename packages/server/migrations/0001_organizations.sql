-- compatible with: 0001

-- Every primary key and unique constraint starts with organization_id: a key belongs to one organization, so every query
-- stays on one shard. Identifiers are 24 lowercase hexadecimal characters; text is compared by code point.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE organization (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  -- The organization clock: updated first by every writing transaction, which orders commits and stamps updated_at.
  clock timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  -- Number of the newest incident; changed under the organization clock only.
  incident_sequence bigint NOT NULL DEFAULT 0,
  folded_name text COLLATE "C" NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE tenant (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  folded_name text COLLATE "C" NOT NULL,
  -- Days after which an undecided order of the tenant expires; null: never.
  decision_days integer,
  PRIMARY KEY (organization_id, id)
);

-- A division: its columns, and the public document.
CREATE TABLE division (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  name text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  sort_order double precision NOT NULL,
  cost_center text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Repeats id: the predicate of a scope is the same on every table.
  division_id text COLLATE "C" GENERATED ALWAYS AS (id) STORED,
  folded_cost_center text COLLATE "C",
  doc_version smallint NOT NULL,
  fold_version smallint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, tenant_id, id),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant,
  FOREIGN KEY (organization_id, tenant_id, parent_id) REFERENCES division (organization_id, tenant_id, id),
  CONSTRAINT division_sibling_name UNIQUE NULLS NOT DISTINCT (organization_id, tenant_id, parent_id, folded_name)
);
CREATE INDEX division_division_id ON division (organization_id, division_id, id);
CREATE INDEX division_updated ON division (organization_id, updated_at, id);

-- Closure table: every division with each of its ancestors and itself, so the subtree of a grant is one index range. It has no
-- foreign keys: checking them took most of the time of moving a large subtree, and divisions are never deleted.
CREATE TABLE division_ancestor (
  organization_id text COLLATE "C" NOT NULL,
  ancestor_id text COLLATE "C" NOT NULL,
  division_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, ancestor_id, division_id)
);
CREATE INDEX division_ancestor_division ON division_ancestor (organization_id, division_id, ancestor_id);

-- Exact numbers of rows, updated by the writing transaction. `scope` is '' for the organization, the identifier of a tenant
-- (all of its rows) or of a division (rows placed in it directly), or 'none' for rows without a tenant.
CREATE TABLE counter (
  organization_id text COLLATE "C" NOT NULL,
  resource_type text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (organization_id, resource_type, scope)
) WITH (fillfactor = 50);

-- Retention of personal data that a tenant has set. Without a row the periods of docs/personal-data.md apply.
CREATE TABLE tenant_retention (
  organization_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  -- Full calendar years after the year in which an order with payroll vouchers ended.
  voucher_years integer NOT NULL CHECK (voucher_years >= 0),
  -- Days after the last change of other orders and of incidents.
  other_days integer NOT NULL CHECK (other_days >= 0),
  PRIMARY KEY (organization_id, tenant_id),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant
);

-- Settings of the installation: the fingerprint of the pepper of the keys.
CREATE TABLE setting (
  name text PRIMARY KEY,
  value text NOT NULL
);
