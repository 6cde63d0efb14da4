-- compatible with: 0006

-- A CSV file of employees, its plan and its report (features/employees/portal-import/imports.ts).
CREATE TABLE employee_import (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL
    CHECK (status IN ('uploaded', 'planning', 'planned', 'applying', 'applied', 'discarded', 'failed')),
  file_name text NOT NULL,
  encoding text COLLATE "C" NOT NULL,
  delimiter text COLLATE "C" NOT NULL,
  -- The names of the columns, as a JSON array.
  header jsonb NOT NULL,
  -- The EmployeeImportMapping of the contract; null before a plan.
  mapping jsonb,
  -- The EmployeeImportCounts of the contract; null before a plan.
  counts jsonb,
  failure jsonb,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  applied_by jsonb,
  ended_at timestamptz,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant
);
-- A tenant has one open import at a time.
CREATE UNIQUE INDEX employee_import_open ON employee_import (organization_id, tenant_id)
  WHERE status IN ('uploaded', 'planning', 'planned', 'applying');
CREATE INDEX employee_import_tenant ON employee_import (organization_id, tenant_id, id);
CREATE INDEX employee_import_expired ON employee_import (organization_id, expires_at);

-- The bytes of a file until it is applied, discarded or failed.
CREATE TABLE employee_import_file (
  organization_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (organization_id, import_id)
);

-- The plan of a file, a row each, and what became of it. The erasure of a person empties all that names one.
CREATE TABLE employee_import_row (
  organization_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  line integer NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('add', 'change', 'error', 'unchanged')),
  employee_id text COLLATE "C",
  -- The version of the employee that the plan is based on.
  employee_updated_at timestamptz,
  -- Tell whom a row is about that matches nobody, for data-subject requests.
  email_key text COLLATE "C",
  employee_number text COLLATE "C",
  name text,
  -- Fields with the values before and after. A division has its identifier.
  changes jsonb NOT NULL,
  problems jsonb NOT NULL,
  outcome text COLLATE "C" CHECK (outcome IN ('applied', 'skipped')),
  reason text COLLATE "C",
  PRIMARY KEY (organization_id, import_id, line)
);
CREATE INDEX employee_import_row_kind ON employee_import_row (organization_id, import_id, kind, line);
CREATE INDEX employee_import_row_outcome ON employee_import_row (organization_id, import_id, outcome, line);
-- The next rows of a batch.
CREATE INDEX employee_import_row_unapplied ON employee_import_row (organization_id, import_id, line)
  WHERE outcome IS NULL AND kind IN ('add', 'change');
CREATE INDEX employee_import_row_employee ON employee_import_row (organization_id, employee_id);
CREATE INDEX employee_import_row_email ON employee_import_row (organization_id, email_key);
CREATE INDEX employee_import_row_number ON employee_import_row (organization_id, employee_number);

-- The last mapping of a tenant by the names of columns, which is proposed for the next file.
CREATE TABLE employee_import_mapping (
  organization_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  mapping jsonb NOT NULL,
  PRIMARY KEY (organization_id, tenant_id),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant
);
