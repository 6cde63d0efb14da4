-- Files of a store that knows no transactions (S3) which are about to be stored. The row is committed before the file, and
-- deleted by the transaction that stores what refers to it: a row that no transaction holds is of a write that never ended.
CREATE TABLE file_pending (
  organization_id text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, file_id)
);
