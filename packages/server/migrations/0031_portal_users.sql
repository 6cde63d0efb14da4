-- compatible with: 0003

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
  PRIMARY KEY (organization_id, id)
);
-- Whose e-mail it is: unique over all organizations, since nothing else is asked at the sign-in. NFC, then lower case.
CREATE TABLE portal_email (
  email_key text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL
);
