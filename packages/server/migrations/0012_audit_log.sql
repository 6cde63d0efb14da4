-- compatible with: 0003

-- The audit becomes a log that can be read: an entry has an identifier, says who it was and how that one was called then, from which
-- address, and how it ended. `actor` stays the identifier of who it was, `at` when, `action` what; what is in front of the dot of
-- an action is the type of its target. Null in rows of processes that do not know the columns.
ALTER TABLE audit ADD COLUMN id text COLLATE "C";
ALTER TABLE audit ADD COLUMN actor_type text COLLATE "C";
ALTER TABLE audit ADD COLUMN actor_name text;
ALTER TABLE audit ADD COLUMN folded_actor_name text COLLATE "C";
ALTER TABLE audit ADD COLUMN address text COLLATE "C";
ALTER TABLE audit ADD COLUMN outcome text COLLATE "C" NOT NULL DEFAULT 'done';
