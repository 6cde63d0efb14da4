-- Every primary key and unique constraint starts with organization_id: a key belongs to one organization, so every query
-- stays on one shard. Identifiers are 24 lowercase hexadecimal characters; text is compared by code point.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE organization (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  -- The organization clock: updated first by every writing transaction, which orders commits and stamps updated_at.
  clock timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  -- Changes with every tenant, division or move: what a write checked against the tree before it is proven by it.
  tree_version bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp())
) WITH (fillfactor = 50);

CREATE TABLE tenant (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  PRIMARY KEY (organization_id, id)
);

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
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, tenant_id, id),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant,
  FOREIGN KEY (organization_id, tenant_id, parent_id) REFERENCES division (organization_id, tenant_id, id),
  CONSTRAINT division_sibling_name UNIQUE NULLS NOT DISTINCT (organization_id, tenant_id, parent_id, folded_name)
);

-- Every division with each of its ancestors, itself included: the subtree of a grant is one index range.
CREATE TABLE division_ancestor (
  organization_id text COLLATE "C" NOT NULL,
  ancestor_id text COLLATE "C" NOT NULL,
  division_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, ancestor_id, division_id),
  FOREIGN KEY (organization_id, ancestor_id) REFERENCES division,
  FOREIGN KEY (organization_id, division_id) REFERENCES division
);
CREATE INDEX division_ancestor_division ON division_ancestor (organization_id, division_id, ancestor_id);

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
  PRIMARY KEY (organization_id, id),
  CHECK ((quota_requests IS NULL) = (quota_seconds IS NULL))
);
CREATE INDEX api_key_id ON api_key (id);

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

-- An employee: the public document as it goes over the wire, folded columns for searching and sorting, internals.
-- A null public field is a null column. The `folded_` columns hold the folding of the contract, version fold_version.
CREATE TABLE employee (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C",
  division_id text COLLATE "C",
  -- Unique as decisions.md section 5 says: the e-mail by NFC and lower case, the number exactly.
  email_key text COLLATE "C" NOT NULL,
  employee_number text COLLATE "C",
  folded_email text COLLATE "C" NOT NULL,
  folded_private_email text COLLATE "C",
  folded_employee_number text COLLATE "C",
  folded_first_name text COLLATE "C",
  folded_last_name text COLLATE "C",
  folded_phone_number text COLLATE "C",
  folded_street text COLLATE "C",
  folded_postal_code text COLLATE "C",
  folded_city text COLLATE "C",
  folded_country_code text COLLATE "C",
  folded_additional_info text COLLATE "C",
  -- All folded text fields in one, a line each: the one trigram index narrows, the column itself decides.
  search text COLLATE "C" NOT NULL,
  blocked boolean NOT NULL,
  activated_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  doc_version smallint NOT NULL,
  fold_version smallint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT employee_email UNIQUE (organization_id, email_key),
  CONSTRAINT employee_tenant FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant,
  CONSTRAINT employee_division FOREIGN KEY (organization_id, tenant_id, division_id)
    REFERENCES division (organization_id, tenant_id, id),
  CHECK (division_id IS NULL OR tenant_id IS NOT NULL)
);
CREATE UNIQUE INDEX employee_number ON employee (organization_id, tenant_id, employee_number) NULLS NOT DISTINCT
  WHERE employee_number IS NOT NULL;
-- Orders of the list, each led by what narrows it. A nullable column puts nulls first ascending, as the API does, and so a
-- backward scan serves descending; on a column that is never null, NULLS FIRST would only hide the index from the planner.
CREATE INDEX employee_tenant_id ON employee (organization_id, tenant_id NULLS FIRST, id);
CREATE INDEX employee_division_id ON employee (organization_id, division_id NULLS FIRST, id);
CREATE INDEX employee_updated ON employee (organization_id, updated_at, id);
CREATE INDEX employee_tenant_updated ON employee (organization_id, tenant_id, updated_at, id);
CREATE INDEX employee_created ON employee (organization_id, created_at, id);
CREATE INDEX employee_last_name ON employee (organization_id, folded_last_name NULLS FIRST, id);
-- These two are what people are looked up by, too.
CREATE INDEX employee_folded_email ON employee (organization_id, folded_email, id);
CREATE INDEX employee_folded_number ON employee (organization_id, folded_employee_number NULLS FIRST, id);
CREATE INDEX employee_search ON employee USING gin (organization_id, search gin_trgm_ops);

-- Exact numbers of rows, kept by the writing transaction. `scope` is '' for the organization, the identifier of a tenant
-- (all of its employees) or of a division (those placed in it directly), or 'none' for those without a tenant.
CREATE TABLE counter (
  organization_id text COLLATE "C" NOT NULL,
  family text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (organization_id, family, scope)
) WITH (fillfactor = 50);

-- Who changed what, written by the transaction that changed it. Names of fields, never their values.
CREATE TABLE audit (
  organization_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  action text NOT NULL,
  -- The identifier of the API key, or 'operator' for the kontor command.
  actor text NOT NULL,
  request_id text,
  fields text[] NOT NULL,
  PRIMARY KEY (organization_id, at, target_id)
);

-- Facts of the installation, not of an organization: the fingerprint of the pepper that the keys are hashed with.
CREATE TABLE setting (
  name text PRIMARY KEY,
  value text NOT NULL
);
