-- compatible with: 0015

ALTER TABLE payroll_entry
  -- Of a settlement: paid outside of Kontor, or not owed. Null is `paid_elsewhere`, which settlements of 0.2.0 mean.
  ADD COLUMN meaning text COLLATE "C" CHECK (meaning IN ('paid_elsewhere', 'not_owed'));
