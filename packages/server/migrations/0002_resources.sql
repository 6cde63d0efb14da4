-- compatible with: 0002

-- An employee: the public document that clients receive, folded columns for searching and sorting, and internal columns.
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
  -- All folded text fields, a line each. Its trigram index finds candidates; the column of the field decides.
  search text COLLATE "C" NOT NULL,
  blocked boolean NOT NULL,
  activated_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  doc_version smallint NOT NULL,
  fold_version smallint NOT NULL,
  doc text NOT NULL,
  -- When the personal data were erased. Data written later (updated_at) are kept.
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
-- One index for each sort order, led by the columns of the filter. Nullable columns are NULLS FIRST, as in the API, so a
-- backward scan serves the descending order. On a column that is never null, NULLS FIRST would hide the index from the planner.
CREATE INDEX employee_tenant_id ON employee (organization_id, tenant_id NULLS FIRST, id);
CREATE INDEX employee_division_id ON employee (organization_id, division_id NULLS FIRST, id);
CREATE INDEX employee_updated ON employee (organization_id, updated_at, id);
CREATE INDEX employee_tenant_updated ON employee (organization_id, tenant_id, updated_at, id);
CREATE INDEX employee_created ON employee (organization_id, created_at, id);
CREATE INDEX employee_last_name ON employee (organization_id, folded_last_name NULLS FIRST, id);
-- Employees are also looked up by these two.
CREATE INDEX employee_folded_email ON employee (organization_id, folded_email, id);
CREATE INDEX employee_folded_number ON employee (organization_id, folded_employee_number NULLS FIRST, id);
CREATE INDEX employee_search ON employee USING gin (organization_id, search gin_trgm_ops);

-- "order" is a reserved word of SQL. tenant_id and division_id are those of the employee, and change with them.
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
  -- SHA-256 of the bytes, by the identifier of the attachment. It is not in the public document.
  attachment_sha256 jsonb NOT NULL DEFAULT '{}',
  submitted_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  doc_version smallint NOT NULL,
  fold_version smallint NOT NULL,
  doc text NOT NULL,
  -- Identifier that the platform gave an order at the intake, and the digest of the intake: a repeated one has the same. Both are
  -- null for imported orders; the digest is also null after the erasure.
  external_id text COLLATE "C",
  intake_digest text COLLATE "C",
  PRIMARY KEY (organization_id, id),
  CONSTRAINT employee_order_number UNIQUE (organization_id, order_number),
  CONSTRAINT employee_order_employee FOREIGN KEY (organization_id, employee_id) REFERENCES employee
);
-- A document of ten products has 3 kB. Up to 8 kB it stays in its row: reading it from the TOAST table and decompressing it
-- costs a list more.
ALTER TABLE employee_order SET (toast_tuple_target = 8160);
CREATE INDEX employee_order_tenant_id ON employee_order (organization_id, tenant_id NULLS FIRST, id);
CREATE INDEX employee_order_division_id ON employee_order (organization_id, division_id NULLS FIRST, id);
CREATE INDEX employee_order_updated ON employee_order (organization_id, updated_at, id);
CREATE INDEX employee_order_employee ON employee_order (organization_id, employee_id, id);
CREATE INDEX employee_order_search ON employee_order USING gin (organization_id, search gin_trgm_ops);
CREATE UNIQUE INDEX employee_order_external_id ON employee_order (organization_id, external_id)
  WHERE external_id IS NOT NULL;
-- Orders that a scheduled job changes: active ones by the last day of the contract, those under review by tenant and
-- submission, because the tenant sets the days.
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
  -- SHA-256 of the bytes, by the identifier of the attachment. It is not in the public document.
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

-- Rules that decide orders of a tenant automatically. Rows are never changed: the highest version applies, and a version
-- without limits removes the rule.
CREATE TABLE decision_rule (
  organization_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  -- Monthly rates; null: no order is approved or rejected.
  approve_up_to numeric(14, 2),
  reject_above numeric(14, 2),
  -- Days after the submission of an order; null: any age.
  within_days integer,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, tenant_id, version),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant
);

-- Imports with orders that the rule of the tenant has not decided yet: the row is inserted with the orders and deleted with the
-- last decision of a scheduled job.
CREATE TABLE undecided_import (
  organization_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  -- `created_at` of the orders.
  imported_at timestamptz NOT NULL,
  -- Orders up to this identifier were inspected.
  behind text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (organization_id, tenant_id, imported_at),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant
);

-- Files in slices, so no file is in memory as a whole. Not compressed: most files are compressed already.
CREATE TABLE file_slice (
  organization_id text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (organization_id, file_id, number)
);
ALTER TABLE file_slice ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Uploads to a file store without transactions (S3). The row is committed before the upload, and deleted by the transaction
-- that stores the reference. A row that no transaction locks belongs to an interrupted write.
CREATE TABLE file_pending (
  organization_id text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, file_id)
);
