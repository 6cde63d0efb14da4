-- compatible with: 0006

-- Users with one of these permissions sign in with a passkey, or at the issuer.
ALTER TABLE organization ADD COLUMN passkey_permissions text[] NOT NULL DEFAULT '{}';

-- How the user has proved who they are: password, link, passkey or openid.
ALTER TABLE portal_session ADD COLUMN method text COLLATE "C" NOT NULL DEFAULT 'password';
