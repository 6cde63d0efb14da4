-- compatible with: 0005

-- A user of the portal.
CREATE TABLE portal_user (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization,
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  folded_email text COLLATE "C" NOT NULL,
  name text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  language text COLLATE "C" NOT NULL,
  permissions text[] NOT NULL,
  -- Tenants for which the permission HR applies; null: all.
  hr_tenants text[],
  -- A PHC string, which has the algorithm and its parameters. Null until the user sets a password.
  password_hash text,
  deactivated_at timestamptz,
  created_at timestamptz NOT NULL,
  last_sign_in_at timestamptz,
  -- The one valid link that sets the password; its secret is stored as an HMAC only.
  link_id text COLLATE "C",
  link_hash bytea,
  link_expires_at timestamptz,
  -- Identity at an OpenID Connect issuer; null before the first sign-in with it.
  identity_key text COLLATE "C",
  identity_issuer text,
  PRIMARY KEY (organization_id, id)
);
-- The user of an e-mail address. It is unique over all organizations, because the sign-in form asks for nothing else. The key is
-- the address in NFC and lower case.
CREATE TABLE portal_email (
  email_key text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL
);

-- The user of an OpenID Connect identity. The key is the SHA-256 of issuer and subject.
CREATE TABLE portal_identity (
  identity_key text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL
);

-- A session of the portal. The secret in the cookie is stored as an HMAC only. The row is deleted when the session ends, or after its
-- expiry at the next sign-in of the user.
CREATE TABLE portal_session (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  secret_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- When the user last proved their identity.
  authenticated_at timestamptz NOT NULL,
  -- Time of the last use, to the minute.
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  address text COLLATE "C" NOT NULL,
  user_agent text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES portal_user
);
CREATE INDEX portal_session_user ON portal_session (organization_id, user_id);

-- A passkey of a user: the public key of a key pair in an authenticator, which also returns user and organization.
CREATE TABLE portal_passkey (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- Identifier from the authenticator, in base64url.
  credential_id text COLLATE "C" NOT NULL,
  -- Encoded as COSE.
  public_key bytea NOT NULL,
  -- Signature counter of the authenticator; 0 if it does not count.
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

-- The passkey of a credential identifier, which is unique over all organizations.
CREATE TABLE portal_credential (
  credential_id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  passkey_id text COLLATE "C" NOT NULL
);
CREATE INDEX portal_credential_user ON portal_credential (organization_id, user_id);

-- Challenges that an authenticator is to sign. A challenge is deleted when it is used, or after its expiry when another one is
-- created.
CREATE TABLE portal_challenge (
  -- Empty before the sign-in, when the organization is unknown.
  organization_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the challenge.
  hash bytea NOT NULL,
  purpose text COLLATE "C" NOT NULL,
  -- The only session that may answer it; empty before the sign-in.
  session_id text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, hash)
);
CREATE INDEX portal_challenge_expiry ON portal_challenge (organization_id, expires_at);
