-- compatible with: 0015

-- Why an employee was blocked or unblocked. Part of the history, so it is removed with it.
ALTER TABLE employee_change ADD COLUMN reason text;

-- The work email that a row of a file would change, with the values before and after. It is applied only if its question was answered so.
-- Not one of `changes`, which earlier releases apply without an answer.
ALTER TABLE employee_import_row ADD COLUMN email_change jsonb;
