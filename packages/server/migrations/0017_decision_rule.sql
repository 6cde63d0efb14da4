-- compatible with: 0003

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
)
