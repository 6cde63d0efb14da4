-- compatible with: 0015

-- The fingerprint of the pepper that the secret was hashed with. Null: the first pepper of the database, which `setting` names.
ALTER TABLE api_key ADD COLUMN pepper text COLLATE "C";
ALTER TABLE platform_token ADD COLUMN pepper text COLLATE "C";
