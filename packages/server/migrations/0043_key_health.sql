-- compatible with: 0003

-- What shows whether the system that uses a key still lives. Null where only a version wrote that does not know the column.
ALTER TABLE api_key
  -- The last four characters of its text.
  ADD COLUMN last_four text COLLATE "C",
  -- Who made it: type and identifier of the actor.
  ADD COLUMN created_by_type text COLLATE "C",
  ADD COLUMN created_by text COLLATE "C",
  -- The key that was made to take its place.
  ADD COLUMN replaced_by text COLLATE "C",
  ADD COLUMN last_success_at timestamptz,
  -- Its pauses count from here on where that is later than the last success: it was reactivated, or is watched since.
  ADD COLUMN watched_from timestamptz,
  -- In seconds: the longest pause that a user expects; the one that is usual; and the one after which it is silent.
  ADD COLUMN expected_pause integer,
  ADD COLUMN usual_pause integer,
  ADD COLUMN allowed_pause integer,
  -- When the users were told of its silence; of an earlier one where that is before its last success.
  ADD COLUMN silence_told_at timestamptz;
-- The longest pause, in seconds, that ended on this day.
ALTER TABLE key_usage ADD COLUMN longest_pause integer;
-- Requests of a key by the day (UTC) and the operation.
CREATE TABLE key_operation (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  operation text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  refused bigint NOT NULL,
  limited bigint NOT NULL,
  failed bigint NOT NULL,
  PRIMARY KEY (organization_id, key_id, day, operation),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);
CREATE INDEX key_operation_day ON key_operation (organization_id, day);
-- The last answers of a key that were no success, a few of each.
CREATE TABLE key_error (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  operation text COLLATE "C" NOT NULL,
  status integer NOT NULL,
  code text COLLATE "C" NOT NULL,
  message text NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, key_id, id),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);
CREATE INDEX key_error_at ON key_error (organization_id, at);
-- How far a key that polls has read each collection: up to which instant of the clock of the organization.
CREATE TABLE key_poll (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  asked_at timestamptz NOT NULL,
  read_to timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key_id, operation),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);
