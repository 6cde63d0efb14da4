-- compatible with: 0003

-- For how many days the audit of a tenant is kept; null: as long as that of its organization. What processes remove that do not know
-- the column goes by the days of the organization.
ALTER TABLE tenant ADD COLUMN audit_days integer CHECK (audit_days >= 1);
-- Up to where the removal has looked at the audit of an organization ('': that of what belongs to none), for each number of days that
-- something is kept there: {"90": {"at": …, "targetId": …}}. Whoever changes such a number sets it back.
CREATE TABLE audit_sweep (
  organization_id text COLLATE "C" PRIMARY KEY,
  reached jsonb NOT NULL,
  -- When it was last set back: from time to time all is looked at again, since a target may have got another tenant.
  began_at timestamptz NOT NULL
);
