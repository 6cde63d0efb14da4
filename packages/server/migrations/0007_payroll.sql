-- compatible with: 0006

-- Motors above 25 km/h make a bike a motor vehicle, whose benefit depends on the way to work. The public document does not have the flag.
ALTER TABLE employee_order ADD COLUMN is_s_pedelec boolean NOT NULL DEFAULT false;

-- How a tenant exports to payroll. All payroll writes of the tenant lock this row.
CREATE TABLE payroll_settings (
  organization_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  -- The PayrollSettings of the contract without tenant, version and changedAt.
  settings jsonb NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, tenant_id),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant
);

-- computing → draft → releasing → released; draft and computing → discarded; releasing → draft (features/payroll/runs.ts).
CREATE TABLE payroll_run (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  division_id text COLLATE "C",
  period text COLLATE "C" NOT NULL,
  formats text[] NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('computing', 'draft', 'releasing', 'released', 'discarded')),
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  -- Sums and counts of the draft, as the contract shows them. Null while computing.
  summary jsonb,
  computed_at timestamptz,
  -- Why the last release ended without one: differences to the draft, or a file that could not be stored.
  failure jsonb,
  released_by jsonb,
  released_at timestamptz,
  -- The released payroll export documents.
  document_ids text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant,
  FOREIGN KEY (organization_id, tenant_id, division_id) REFERENCES division (organization_id, tenant_id, id)
);
-- A tenant has one draft at a time, over all periods and divisions.
CREATE UNIQUE INDEX payroll_run_open ON payroll_run (organization_id, tenant_id)
  WHERE status IN ('computing', 'draft', 'releasing');
CREATE INDEX payroll_run_tenant ON payroll_run (organization_id, tenant_id, id);

-- The basis that owed amounts followed from in a released run: the receipt of the ledger. Rows are never changed.
CREATE TABLE payroll_basis (
  organization_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  basis jsonb NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, order_id, version)
);

-- The ledger: every amount that was exported (source 'run') or settled outside (source 'settled'). Rows are never changed or removed.
-- A run has one entry per order, month and kind; amounts are differences in cents, before the sign of the settings.
CREATE TABLE payroll_entry (
  organization_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  month text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- The run, or the identifier of the settlement.
  run_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL CHECK (source IN ('run', 'settled')),
  tenant_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  cents bigint NOT NULL,
  contract_number text COLLATE "C",
  personnel_number text COLLATE "C",
  wage_type text COLLATE "C",
  processing_key text COLLATE "C",
  sign smallint,
  cost_center text COLLATE "C",
  basis_version integer,
  created_at timestamptz NOT NULL,
  -- Null unless it is a settlement.
  reason text,
  settled_by jsonb,
  PRIMARY KEY (organization_id, order_id, month, kind, run_id)
);
-- Files list the entries of a run in this order.
CREATE INDEX payroll_entry_run ON payroll_entry (organization_id, run_id, month, personnel_number, order_id, kind);
CREATE INDEX payroll_entry_employee ON payroll_entry (organization_id, employee_id, month);

-- The entries that the draft of a run would release.
CREATE TABLE payroll_draft_entry (
  organization_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  month text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  cents bigint NOT NULL,
  contract_number text COLLATE "C",
  personnel_number text COLLATE "C" NOT NULL,
  wage_type text COLLATE "C" NOT NULL,
  processing_key text COLLATE "C",
  sign smallint NOT NULL,
  cost_center text COLLATE "C",
  PRIMARY KEY (organization_id, run_id, order_id, month, kind)
);

-- The report of a run, a row each: errors, what was skipped and why, questions, corrections.
CREATE TABLE payroll_finding (
  organization_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  severity text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C",
  order_id text COLLATE "C",
  month text COLLATE "C",
  kind text COLLATE "C",
  field text COLLATE "C",
  cents bigint,
  PRIMARY KEY (organization_id, run_id, number)
);

-- The downloads of a document by caller. A file that is imported twice is deducted twice.
CREATE TABLE payroll_download (
  organization_id text COLLATE "C" NOT NULL,
  document_id text COLLATE "C" NOT NULL,
  actor_type text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C" NOT NULL,
  actor_name text NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (organization_id, document_id, actor_type, actor_id)
);

-- Work that outlasts a request. A worker locks the row (FOR UPDATE SKIP LOCKED) in the transaction that does the work. So the job of a
-- killed worker is free at once, and nothing of it is half done.
CREATE TABLE background_job (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  input jsonb NOT NULL,
  queued_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX background_job_queued ON background_job (queued_at);

-- How far a job is. A table of its own, as the worker holds the row of the job.
CREATE TABLE background_job_progress (
  organization_id text COLLATE "C" NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  -- Attempts that held the job. A job that ends its worker several times is given up.
  attempts integer NOT NULL,
  -- Null until the attempt reports.
  done bigint,
  total bigint,
  PRIMARY KEY (organization_id, job_id)
);
