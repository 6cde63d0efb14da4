-- compatible with: 0015

-- A closed organization: nobody has access to it, and after its grace period an operator may delete its rows. Null: it is open.
ALTER TABLE organization
  ADD COLUMN closed_at timestamptz,
  ADD COLUMN deletable_from timestamptz,
  -- Rows may be missing since then, so it cannot be opened again.
  ADD COLUMN deletion_began_at timestamptz;
