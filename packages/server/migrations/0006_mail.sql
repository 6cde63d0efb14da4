-- compatible with: 0006

-- Mails to be sent; a sent mail is deleted. Its text is written when it is sent, from the data of that moment, and is not stored.
-- A link is stored as a seed, and only the pepper turns the seed into the link.
CREATE TABLE mail (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- Identifiers and instants that the text of this kind needs.
  details jsonb NOT NULL,
  queued_at timestamptz NOT NULL,
  -- The mail is not sent after this instant.
  expires_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Time of the next attempt.
  next_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES portal_user ON DELETE CASCADE
);
