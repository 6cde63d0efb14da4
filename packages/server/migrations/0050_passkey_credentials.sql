-- compatible with: 0003

-- The passkey of a credential identifier: no two users of the installation register the same one. It is deleted with the passkey.
CREATE TABLE portal_credential (
  credential_id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  passkey_id text COLLATE "C" NOT NULL
);
CREATE INDEX portal_credential_user ON portal_credential (organization_id, user_id);
