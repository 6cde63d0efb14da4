-- compatible with: 0015

-- Settlements and settings of a company that wants a second person to confirm them. They have no effect before that.
CREATE TABLE payroll_proposal (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  -- The person of a settlement; null for settings.
  employee_id text COLLATE "C",
  -- The settlement, or the settings with the version that they replace and what they change.
  content jsonb NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('open', 'confirmed', 'rejected')),
  proposed_by jsonb NOT NULL,
  proposed_at timestamptz NOT NULL,
  -- Null while it is open.
  decided_by jsonb,
  decided_at timestamptz,
  comment text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant
);
CREATE INDEX payroll_proposal_tenant ON payroll_proposal (organization_id, tenant_id, id);
-- For the erasure and the export of a person.
CREATE INDEX payroll_proposal_employee ON payroll_proposal (organization_id, employee_id);
