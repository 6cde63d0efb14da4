-- compatible with: 0006

-- Mails that wait to be sent: one that was sent is deleted. What they say is written when they are sent, from what holds then, so nothing of it
-- stands here. A link that works once is kept as a seed, of which it can be made with the pepper only.
CREATE TABLE mail (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- What the kind needs to be written: identifiers and instants.
  details jsonb NOT NULL,
  queued_at timestamptz NOT NULL,
  -- From then on it is worth nothing and is not sent any more.
  expires_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- When it is to be tried next.
  next_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES portal_user ON DELETE CASCADE
);
