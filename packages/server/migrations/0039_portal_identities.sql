-- compatible with: 0003

-- Whose an identity at an issuer of OpenID Connect is, since nothing else is known at the sign-in. The key is SHA-256 of issuer and subject.
CREATE TABLE portal_identity (
  identity_key text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL
);
-- The one of a user, and at which issuer it is; null until the user has first come from there.
ALTER TABLE portal_user ADD COLUMN identity_key text COLLATE "C", ADD COLUMN identity_issuer text;
