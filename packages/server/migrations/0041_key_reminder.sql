-- compatible with: 0003

-- Of which end of a key somebody was reminded, so many days before it.
CREATE TABLE key_reminder (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  -- The end, to the millisecond.
  expires_at timestamptz NOT NULL,
  days integer NOT NULL,
  reminded_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key_id, expires_at, days),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
)
