-- compatible with: 0015

ALTER TABLE employee_import_file
  -- The first rows, as an array of arrays of texts; null for a file of 0.2.0.
  ADD COLUMN head jsonb,
  -- The lines that repeat a value (features/employees/portal-import/repeated.ts); null before a plan.
  ADD COLUMN repeated bytea;
