-- compatible with: 0003

-- A token of the platform API. It may work for all organizations, hence belongs to none; the secret is stored as an HMAC only.
CREATE TABLE platform_token (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  -- The organizations that it works for; null: all.
  organizations text[],
  permissions text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz
);
-- The folding of the name, for the lists of the platform. Null where a process wrote the row that does not know the column, until
-- the next start of one that does.
ALTER TABLE organization ADD COLUMN folded_name text COLLATE "C";
ALTER TABLE tenant ADD COLUMN folded_name text COLLATE "C";
ALTER TABLE api_key ADD COLUMN folded_name text COLLATE "C";
