-- compatible with: 0015

-- The permission AUDIT has a column, because older processes take any permission but HR for access to the whole organization.
ALTER TABLE portal_user ADD COLUMN is_auditor boolean NOT NULL DEFAULT false;
