-- compatible with: 0002

-- An employee: the public document as it goes over the wire, folded columns for searching and sorting, internals.
-- A null public field is a null column. The `folded_` columns hold the folding of the contract, version fold_version.
CREATE TABLE employee (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C",
  division_id text COLLATE "C",
  -- Unique within an organization: the e-mail after NFC and in lower case, the number exactly.
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
  -- When the data of the person were erased. What was written of them later (updated_at) is there.
  erased_at timestamptz,
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

-- "order" is a word of SQL. tenant_id and division_id are those of the employee, and follow him.
CREATE TABLE employee_order (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C",
  division_id text COLLATE "C",
  employee_id text COLLATE "C" NOT NULL,
  order_number text COLLATE "C" NOT NULL,
  folded_order_number text COLLATE "C" NOT NULL,
  search text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  -- The SHA-256 of the bytes by the identifier of the attachment, which the public document does not tell.
  attachment_sha256 jsonb NOT NULL DEFAULT '{}',
  submitted_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  doc_version smallint NOT NULL,
  fold_version smallint NOT NULL,
  doc text NOT NULL,
  -- What the platform calls an order that it has handed in, and the digest of what it said then, which tells the same intake from
  -- another one. Null of orders that were imported, and the digest once the data of the person were erased.
  external_id text COLLATE "C",
  intake_digest text COLLATE "C",
  PRIMARY KEY (organization_id, id),
  CONSTRAINT employee_order_number UNIQUE (organization_id, order_number),
  CONSTRAINT employee_order_employee FOREIGN KEY (organization_id, employee_id) REFERENCES employee
);
-- A document of ten products has three kilobytes. Up to eight it stays whole in its row: fetching it from beside the table and
-- unpacking it costs a list more than reading it.
ALTER TABLE employee_order SET (toast_tuple_target = 8160);
CREATE INDEX employee_order_tenant_id ON employee_order (organization_id, tenant_id NULLS FIRST, id);
CREATE INDEX employee_order_division_id ON employee_order (organization_id, division_id NULLS FIRST, id);
CREATE INDEX employee_order_updated ON employee_order (organization_id, updated_at, id);
CREATE INDEX employee_order_employee ON employee_order (organization_id, employee_id, id);
CREATE INDEX employee_order_search ON employee_order USING gin (organization_id, search gin_trgm_ops);
CREATE UNIQUE INDEX employee_order_external_id ON employee_order (organization_id, external_id)
  WHERE external_id IS NOT NULL;
-- Orders that a scheduled job changes: active ones by the last day of their contract, and those under review, which have none
-- here, by the tenant, whose days they have, and the instant from which these count.
CREATE INDEX employee_order_due ON employee_order (
  organization_id, status, (CASE status WHEN 'active' THEN doc::jsonb #>> '{contract,endDate}' END COLLATE "C"), tenant_id,
  submitted_at) WHERE status IN ('under_review', 'active');

CREATE TABLE incident (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C",
  division_id text COLLATE "C",
  employee_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C",
  folded_incident_number text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  requested_solution text COLLATE "C",
  occurred_on date,
  effective_from date,
  effective_to date,
  folded_description text COLLATE "C",
  folded_police_reference text COLLATE "C",
  search text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  editable boolean NOT NULL,
  -- The SHA-256 of the bytes by the identifier of the attachment, which the public document does not tell.
  attachment_sha256 jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  doc_version smallint NOT NULL,
  fold_version smallint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT incident_number UNIQUE (organization_id, folded_incident_number),
  CONSTRAINT incident_employee FOREIGN KEY (organization_id, employee_id) REFERENCES employee,
  CONSTRAINT incident_order FOREIGN KEY (organization_id, order_id) REFERENCES employee_order
);
CREATE INDEX incident_tenant_id ON incident (organization_id, tenant_id NULLS FIRST, id);
CREATE INDEX incident_division_id ON incident (organization_id, division_id NULLS FIRST, id);
CREATE INDEX incident_updated ON incident (organization_id, updated_at, id);
CREATE INDEX incident_employee ON incident (organization_id, employee_id, id);
CREATE INDEX incident_search ON incident USING gin (organization_id, search gin_trgm_ops);

CREATE TABLE payroll_export_document (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  division_id text COLLATE "C",
  period text COLLATE "C" NOT NULL,
  format text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  folded_file_name text COLLATE "C",
  folded_media_type text COLLATE "C",
  size bigint,
  sha256 text COLLATE "C",
  row_count bigint NOT NULL,
  skipped_count bigint NOT NULL,
  generated_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  doc_version smallint NOT NULL,
  fold_version smallint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant,
  FOREIGN KEY (organization_id, tenant_id, division_id) REFERENCES division (organization_id, tenant_id, id)
);
CREATE INDEX payroll_export_document_tenant_id ON payroll_export_document (organization_id, tenant_id NULLS FIRST, id);
CREATE INDEX payroll_export_document_division_id ON payroll_export_document (organization_id, division_id NULLS FIRST, id);
CREATE INDEX payroll_export_document_updated ON payroll_export_document (organization_id, updated_at, id);

-- By which rule orders of a tenant are decided automatically. Rows are never changed: the highest version holds, and one that
-- decides nothing says that the rule was removed.
CREATE TABLE decision_rule (
  organization_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  -- Monthly rates; null: it approves or rejects none.
  approve_up_to numeric(14, 2),
  reject_above numeric(14, 2),
  -- Days behind the submission of an order; null: whatever its age.
  within_days integer,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, tenant_id, version),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant
);

-- Imports of orders on which the rule of the tenant has not decided to the end: a row goes in with the orders and out with the last
-- decision. One that is still there when it is due was interrupted, and a scheduled job does the rest.
CREATE TABLE undecided_import (
  organization_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  -- The instant of the orders.
  imported_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  -- The orders up to this identifier were looked at.
  behind text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (organization_id, tenant_id, imported_at),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant
);

-- The bytes of files in slices, so that neither storing nor sending one needs it whole in memory. Not compressed: files are.
CREATE TABLE file_slice (
  organization_id text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (organization_id, file_id, number)
);
ALTER TABLE file_slice ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Files of a store that knows no transactions (S3) which are about to be stored. The row is committed before the file, and
-- deleted by the transaction that stores what refers to it: a row that no transaction holds is of a write that never ended.
CREATE TABLE file_pending (
  organization_id text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, file_id)
);
