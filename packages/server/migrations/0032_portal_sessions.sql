-- compatible with: 0003

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
