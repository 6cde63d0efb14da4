-- compatible with: 0015

ALTER TABLE payroll_entry
  -- The meaning of a settlement. Null is `paid_elsewhere`, which settlements of 0.2.0 mean.
  ADD COLUMN meaning text COLLATE "C" CHECK (meaning IN ('paid_elsewhere', 'not_owed'));

ALTER TABLE payroll_run
  ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'regular' CHECK (kind IN ('regular', 'reversal')),
  -- The amounts that a reversal is about, as the contract shows them.
  ADD COLUMN reverses jsonb,
  -- Adviser, client and kind of personnel numbers in the files of a release. Null where an earlier version released it meanwhile.
  ADD COLUMN head jsonb;
UPDATE payroll_run r SET head = jsonb_build_object(
    'adviserNumber', s.settings -> 'adviserNumber',
    'clientNumber', s.settings -> 'clientNumber',
    'personnelNumbers', s.settings -> 'personnelNumbers')
FROM payroll_settings s
WHERE s.organization_id = r.organization_id AND s.tenant_id = r.tenant_id AND r.status = 'released';

-- A reversal has several entries for a month and kind: part 0 under the present values, the others under those that were wrong.
ALTER TABLE payroll_entry
  ADD COLUMN part smallint NOT NULL DEFAULT 0,
  -- The released run that an entry with the other sign reverses, for its head; else null.
  ADD COLUMN reverses text COLLATE "C",
  DROP CONSTRAINT payroll_entry_pkey,
  ADD PRIMARY KEY (organization_id, order_id, month, kind, run_id, part);
ALTER TABLE payroll_draft_entry
  ADD COLUMN part smallint NOT NULL DEFAULT 0,
  ADD COLUMN reverses text COLLATE "C",
  DROP CONSTRAINT payroll_draft_entry_pkey,
  ADD PRIMARY KEY (organization_id, run_id, order_id, month, kind, part);
