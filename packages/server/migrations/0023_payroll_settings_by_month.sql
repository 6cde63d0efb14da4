-- compatible with: 0015

-- The month that the settings begin with; null: their firstPeriod, as of settings from before this migration and of older processes.
ALTER TABLE payroll_settings ADD COLUMN from_month text COLLATE "C";
-- The settings of earlier months, the earliest first: from, version, changedAt, settings. They are read and locked with the latest ones.
ALTER TABLE payroll_settings ADD COLUMN earlier jsonb NOT NULL DEFAULT '[]';
