-- compatible with: 0003

-- A passkey of a user: the public half of a key pair that an authenticator keeps. It is deleted with the user. The authenticator shows
-- whose it is, and of which organization, so it is looked for there only.
CREATE TABLE portal_passkey (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- As the authenticator calls it, in base64url.
  credential_id text COLLATE "C" NOT NULL,
  -- In the form of COSE.
  public_key bytea NOT NULL,
  -- How often the authenticator says that it was used; 0 where it does not count.
  uses bigint NOT NULL,
  transports text[] NOT NULL,
  synced boolean NOT NULL,
  name text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES portal_user
);
CREATE UNIQUE INDEX portal_passkey_credential ON portal_passkey (organization_id, user_id, credential_id);
