-- The role of `kontor serve`, apart from the one that owns the tables. It cannot change the schema, nor change or remove rows of the audit
-- and of the ledger of payroll. The owner runs this after the first `kontor migrate`; later tables get the same grants. It can run again.
DO $$ BEGIN
  CREATE ROLE kontor_server LOGIN;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;
GRANT USAGE ON SCHEMA public TO kontor_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO kontor_server;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO kontor_server;
REVOKE UPDATE, DELETE ON audit, payroll_entry, payroll_basis FROM kontor_server;
REVOKE INSERT, UPDATE, DELETE ON migration FROM kontor_server;
