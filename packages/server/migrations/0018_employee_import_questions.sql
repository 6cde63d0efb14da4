-- compatible with: 0015

-- 0.2.0 writes none of this, and reads the rows by their kinds.
ALTER TABLE employee_import_row
  DROP CONSTRAINT employee_import_row_kind_check,
  ADD CONSTRAINT employee_import_row_kind_check
    CHECK (kind IN ('add', 'change', 'error', 'unchanged', 'question')) NOT VALID,
  -- Fields that are left out, as an array of the problems of the contract.
  ADD COLUMN notices jsonb NOT NULL DEFAULT '[]',
  -- The answer to a question. An accepted one has the kind `add` or `change`.
  ADD COLUMN answer text COLLATE "C" CHECK (answer IN ('import', 'leave_out')),
  -- The cells of an error or a question as the file has them, for the file in which they are corrected.
  ADD COLUMN cells jsonb;
-- The next page of questions, also of accepted ones.
CREATE INDEX employee_import_row_question ON employee_import_row (organization_id, import_id, line)
  WHERE kind = 'question' OR answer = 'import';

ALTER TABLE employee_import_file
  -- How many rows the file has, and how many cells of each column are not empty; null for a file of 0.2.0.
  ADD COLUMN filled jsonb;
