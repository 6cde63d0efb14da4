-- compatible with: 0006

-- The history of employees: who changed which values. The audit has names of fields only. A row belongs to one write.
CREATE TABLE employee_change (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  id text COLLATE "C" NOT NULL,
  actor_type text COLLATE "C" NOT NULL,
  actor text NOT NULL,
  -- Name of the actor at that instant.
  actor_name text NOT NULL,
  folded_actor_name text COLLATE "C" NOT NULL,
  -- By the name of each changed field: its value before and after.
  changes jsonb NOT NULL,
  PRIMARY KEY (organization_id, employee_id, at, id)
);
-- For the removal after the retention.
CREATE INDEX employee_change_at ON employee_change (organization_id, at);

-- Days for which the history of employees is kept.
ALTER TABLE organization ADD COLUMN employee_history_days integer NOT NULL DEFAULT 1095;
