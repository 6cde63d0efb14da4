-- The role of `kontor serve`, apart from the one that owns the tables. It cannot change the schema, nor change or remove rows of the audit log
-- and of the ledger of payroll. The owner of the tables or a superuser runs this after the first `kontor migrate`; later tables get the same
-- grants. It can run again. One block, so that all of it is done or nothing.
DO $$
DECLARE
  owner name := (SELECT tableowner FROM pg_tables WHERE schemaname = 'public' AND tablename = 'audit');
BEGIN
  IF owner IS NULL THEN
    RAISE 'the schema public has no tables of Kontor: run "kontor migrate" first';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'kontor_server') THEN
    IF NOT (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) THEN
      RAISE 'the user % may not create roles: let an administrator run CREATE ROLE kontor_server LOGIN, then run this again', current_user;
    END IF;
    CREATE ROLE kontor_server LOGIN;
  END IF;
  GRANT USAGE ON SCHEMA public TO kontor_server;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO kontor_server;
  -- Without the owner's name this would be about later tables of the user who runs it.
  EXECUTE format(
    'ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO kontor_server', owner);
  REVOKE UPDATE, DELETE ON audit, payroll_entry, payroll_basis FROM kontor_server;
  REVOKE INSERT, UPDATE, DELETE ON migration FROM kontor_server;
END $$;
