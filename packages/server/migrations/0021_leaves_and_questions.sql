-- compatible with: 0015

-- Portal and platform alone know this about a leave; the public document does not have it. 0.2.0 ignores all of this.
ALTER TABLE incident
  ADD COLUMN bike_returned boolean,
  ADD COLUMN leave_payer text COLLATE "C",
  ADD COLUMN leave_comment text,
  -- When what payroll depends on last changed; null: with `updated_at`.
  ADD COLUMN payroll_changed_at timestamptz;
ALTER TABLE employee_order ADD COLUMN payroll_changed_at timestamptz;

ALTER TABLE payroll_finding
  -- The order, person or company of a question, and the fact that an answer holds for.
  ADD COLUMN subject_id text COLLATE "C",
  ADD COLUMN fact text COLLATE "C",
  -- The payer of an amount that a leave suspends.
  ADD COLUMN payer text COLLATE "C";

-- Answers to questions of payroll reports. A question about another fact is asked again.
CREATE TABLE payroll_acknowledgement (
  organization_id text COLLATE "C" NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  fact text COLLATE "C" NOT NULL,
  -- Null for a question about a company.
  employee_id text COLLATE "C",
  reason text NOT NULL,
  acknowledged_by jsonb NOT NULL,
  acknowledged_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, subject_id, code, fact)
);
-- For the erasure and the export of a person.
CREATE INDEX payroll_acknowledgement_employee ON payroll_acknowledgement (organization_id, employee_id);
