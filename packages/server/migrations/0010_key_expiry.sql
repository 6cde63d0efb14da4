-- compatible with: 0003

-- An API key stops working at this instant; null: it does not end by itself. A process that does not know the column lets it
-- work on: only once all processes are of this version does an expiry hold.
ALTER TABLE api_key ADD COLUMN expires_at timestamptz;

-- Requests of a key by the day (UTC), for whoever wants to know whether it is used.
CREATE TABLE key_usage (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (organization_id, key_id, day),
  FOREIGN KEY (organization_id, key_id) REFERENCES api_key
);
