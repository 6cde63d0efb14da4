-- compatible with: 0003

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
