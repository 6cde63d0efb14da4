-- Divisions, orders, incidents, payroll export documents and files.

-- A division is stored as its public document too. division_id repeats id, so that the scope of a key reads alike on every
-- table: a division stands in itself.
ALTER TABLE division ADD COLUMN division_id text COLLATE "C" GENERATED ALWAYS AS (id) STORED;
ALTER TABLE division ADD COLUMN folded_cost_center text COLLATE "C";
ALTER TABLE division ADD COLUMN doc_version smallint NOT NULL DEFAULT 1;
ALTER TABLE division ADD COLUMN fold_version smallint NOT NULL DEFAULT 1;
ALTER TABLE division ADD COLUMN doc text;
UPDATE division SET folded_cost_center = cost_center, doc = format(
  '{"id":%s,"tenant":%s,"name":%s,"parentId":%s,"order":%s,"costCenter":%s,"createdAt":"%s","updatedAt":"%s"}',
  to_json(id), to_json(tenant_id), to_json(name), coalesce(to_json(parent_id)::text, 'null'), to_json(sort_order),
  coalesce(to_json(cost_center)::text, 'null'),
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
ALTER TABLE division ALTER COLUMN doc SET NOT NULL;
CREATE INDEX division_division_id ON division (organization_id, division_id, id);
CREATE INDEX division_updated ON division (organization_id, updated_at, id);
-- Moving a large subtree writes a line for each of its divisions and each ancestor, under the organization clock: to look up
-- both ends of each line took most of that time. No division is ever deleted, and lines are made of lines and new divisions.
ALTER TABLE division_ancestor DROP CONSTRAINT division_ancestor_organization_id_ancestor_id_fkey;
ALTER TABLE division_ancestor DROP CONSTRAINT division_ancestor_organization_id_division_id_fkey;
INSERT INTO counter (organization_id, family, scope, n)
SELECT organization_id, 'division', scope, count(*) FROM (
  SELECT organization_id, '' AS scope FROM division
  UNION ALL SELECT organization_id, tenant_id FROM division
  UNION ALL SELECT organization_id, id FROM division) AS visible
GROUP BY organization_id, scope;

-- The bytes of files in slices, so that neither storing nor sending one needs it whole in memory. Not compressed: files are.
CREATE TABLE file_slice (
  organization_id text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (organization_id, file_id, number)
);
ALTER TABLE file_slice ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- "order" is a word of SQL. tenant_id and division_id are those of the employee, and follow him.
CREATE TABLE employee_order (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C",
  division_id text COLLATE "C",
  employee_id text COLLATE "C" NOT NULL,
  order_number text COLLATE "C" NOT NULL,
  folded_order_number text COLLATE "C" NOT NULL,
  search text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  -- The SHA-256 of the bytes by the identifier of the attachment, which the public document does not tell.
  attachment_sha256 jsonb NOT NULL DEFAULT '{}',
  submitted_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  doc_version smallint NOT NULL,
  fold_version smallint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT employee_order_number UNIQUE (organization_id, order_number),
  CONSTRAINT employee_order_employee FOREIGN KEY (organization_id, employee_id) REFERENCES employee
);
-- A document of ten products has three kilobytes. Up to eight it stays whole in its row: fetching it from beside the table and
-- unpacking it costs a list more than reading it.
ALTER TABLE employee_order SET (toast_tuple_target = 8160);
CREATE INDEX employee_order_tenant_id ON employee_order (organization_id, tenant_id NULLS FIRST, id);
CREATE INDEX employee_order_division_id ON employee_order (organization_id, division_id NULLS FIRST, id);
CREATE INDEX employee_order_updated ON employee_order (organization_id, updated_at, id);
CREATE INDEX employee_order_employee ON employee_order (organization_id, employee_id, id);
CREATE INDEX employee_order_search ON employee_order USING gin (organization_id, search gin_trgm_ops);

CREATE TABLE incident (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C",
  division_id text COLLATE "C",
  employee_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C",
  folded_incident_number text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  requested_solution text COLLATE "C",
  occurred_on date,
  effective_from date,
  effective_to date,
  folded_description text COLLATE "C",
  folded_police_reference text COLLATE "C",
  search text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  editable boolean NOT NULL,
  -- The SHA-256 of the bytes by the identifier of the attachment, which the public document does not tell.
  attachment_sha256 jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  doc_version smallint NOT NULL,
  fold_version smallint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT incident_number UNIQUE (organization_id, folded_incident_number),
  CONSTRAINT incident_employee FOREIGN KEY (organization_id, employee_id) REFERENCES employee,
  CONSTRAINT incident_order FOREIGN KEY (organization_id, order_id) REFERENCES employee_order
);
CREATE INDEX incident_tenant_id ON incident (organization_id, tenant_id NULLS FIRST, id);
CREATE INDEX incident_division_id ON incident (organization_id, division_id NULLS FIRST, id);
CREATE INDEX incident_updated ON incident (organization_id, updated_at, id);
CREATE INDEX incident_employee ON incident (organization_id, employee_id, id);
CREATE INDEX incident_search ON incident USING gin (organization_id, search gin_trgm_ops);
-- The last number that an incident of the organization was given; changed under the organization clock only.
ALTER TABLE organization ADD COLUMN incident_sequence bigint NOT NULL DEFAULT 0;

CREATE TABLE payroll_export_document (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  division_id text COLLATE "C",
  period text COLLATE "C" NOT NULL,
  format text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  folded_file_name text COLLATE "C",
  folded_media_type text COLLATE "C",
  size bigint,
  sha256 text COLLATE "C",
  row_count bigint NOT NULL,
  skipped_count bigint NOT NULL,
  generated_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  doc_version smallint NOT NULL,
  fold_version smallint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant,
  FOREIGN KEY (organization_id, tenant_id, division_id) REFERENCES division (organization_id, tenant_id, id)
);
CREATE INDEX payroll_export_document_tenant_id ON payroll_export_document (organization_id, tenant_id NULLS FIRST, id);
CREATE INDEX payroll_export_document_division_id ON payroll_export_document (organization_id, division_id NULLS FIRST, id);
CREATE INDEX payroll_export_document_updated ON payroll_export_document (organization_id, updated_at, id);

-- Orders and incidents are seen exactly when their employee is: they follow him into another division, in the transaction
-- that moves him and without a change of their own.
CREATE FUNCTION follow_employee() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH orders AS (
    UPDATE employee_order SET division_id = NEW.division_id
    WHERE organization_id = NEW.organization_id AND employee_id = NEW.id RETURNING 1
  ), incidents AS (
    UPDATE incident SET division_id = NEW.division_id
    WHERE organization_id = NEW.organization_id AND employee_id = NEW.id RETURNING 1
  ), moved AS (
    SELECT 'order' AS family, count(*) AS n FROM orders UNION ALL SELECT 'incident', count(*) FROM incidents
  )
  INSERT INTO counter (organization_id, family, scope, n)
  SELECT NEW.organization_id, family, scope, sign * n
  FROM moved, (VALUES (OLD.division_id, -1), (NEW.division_id, 1)) AS place (scope, sign)
  WHERE n > 0 AND scope IS NOT NULL
  ON CONFLICT (organization_id, family, scope) DO UPDATE SET n = counter.n + excluded.n;
  RETURN NULL;
END $$;
CREATE TRIGGER employee_moved AFTER UPDATE OF division_id ON employee
  FOR EACH ROW WHEN (OLD.division_id IS DISTINCT FROM NEW.division_id) EXECUTE FUNCTION follow_employee();
