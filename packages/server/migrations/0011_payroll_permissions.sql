-- compatible with: 0006

-- Permissions of a user with HR in payroll. Users from before this migration keep both, as do those of older processes.
ALTER TABLE portal_user ADD COLUMN payroll_permissions text[] NOT NULL DEFAULT '{PAYROLL_RUN,PAYROLL_RELEASE}';
