-- compatible with: 0015

-- The permissions of a key; null: everything. A process of the previous release ignores it until it has stopped.
ALTER TABLE api_key ADD COLUMN permissions text[];
-- Requests outside of that.
ALTER TABLE key_usage ADD COLUMN denied bigint NOT NULL DEFAULT 0;
ALTER TABLE key_operation ADD COLUMN denied bigint NOT NULL DEFAULT 0;
