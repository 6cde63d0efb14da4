-- compatible with: 0003

-- Refusals for lack of a right are audited as well: why, and how often within the minute that an entry stands for. Null in entries of
-- changes, so that a write stores nothing more for them.
ALTER TABLE audit ADD COLUMN reason text COLLATE "C";
ALTER TABLE audit ADD COLUMN n integer;
-- For how many days the audit of an organization is kept ('': the one of what belongs to none); without a row for ever.
CREATE TABLE audit_retention (
  organization_id text COLLATE "C" PRIMARY KEY,
  days integer NOT NULL CHECK (days >= 1)
);
