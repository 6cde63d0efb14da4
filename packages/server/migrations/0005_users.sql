-- compatible with: 0005

-- Somebody who may sign in to the portal for an organization. It is deleted with the user.
CREATE TABLE portal_user (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization,
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  folded_email text COLLATE "C" NOT NULL,
  name text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  language text COLLATE "C" NOT NULL,
  permissions text[] NOT NULL,
  -- The tenants that the permission HR is for; null: all.
  hr_tenants text[],
  -- With the manner of hashing in front; null until the user has set a password.
  password_hash text,
  deactivated_at timestamptz,
  created_at timestamptz NOT NULL,
  last_sign_in_at timestamptz,
  -- The link that sets the password, of which there is one at most; the secret is stored as an HMAC only.
  link_id text COLLATE "C",
  link_hash bytea,
  link_expires_at timestamptz,
  -- The identity of the user at an issuer of OpenID Connect; null until the first sign-in from there.
  identity_key text COLLATE "C",
  identity_issuer text,
  PRIMARY KEY (organization_id, id)
);
-- Whose e-mail it is: unique over all organizations, since nothing else is asked at the sign-in. NFC, then lower case.
CREATE TABLE portal_email (
  email_key text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL
);

-- Whose an identity at an issuer of OpenID Connect is, since nothing else is known at the sign-in. The key is SHA-256 of issuer and subject.
CREATE TABLE portal_identity (
  identity_key text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL
);

-- A session of the portal, which is what a browser has a cookie of. The secret is stored as an HMAC only. It is deleted when it ends;
-- one whose time is over is deleted when the user next signs in.
CREATE TABLE portal_session (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  secret_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- When the password was last shown.
  authenticated_at timestamptz NOT NULL,
  -- When it was last used, to the minute.
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  address text COLLATE "C" NOT NULL,
  user_agent text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES portal_user
);
CREATE INDEX portal_session_user ON portal_session (organization_id, user_id);

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

-- The passkey of a credential identifier: no two users of the installation register the same one. It is deleted with the passkey.
CREATE TABLE portal_credential (
  credential_id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  passkey_id text COLLATE "C" NOT NULL
);
CREATE INDEX portal_credential_user ON portal_credential (organization_id, user_id);

-- What somebody has begun and finishes within minutes, once, or never: what an authenticator is to sign. It is deleted when it is
-- shown; one whose time is over is deleted when another one is made.
CREATE TABLE portal_challenge (
  -- Empty where nobody is signed in, so that nobody knows for which organization it will be.
  organization_id text COLLATE "C" NOT NULL,
  -- SHA-256 of what was given out.
  hash bytea NOT NULL,
  purpose text COLLATE "C" NOT NULL,
  -- The only one that may finish it; empty where nobody is signed in.
  session_id text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, hash)
);
CREATE INDEX portal_challenge_end ON portal_challenge (organization_id, expires_at);
