-- compatible with: 0015

-- Requests that were stored under an Idempotency-Key (write/repeats.ts), for 24 hours.
CREATE TABLE idempotency_key (
  organization_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the API key's identifier and the Idempotency-Key.
  key_digest text COLLATE "C" NOT NULL,
  -- SHA-256 of the request, so that another one under the same key is rejected.
  request_digest text COLLATE "C" NOT NULL,
  -- The created resource or attachment, or the decided order.
  resource_id text COLLATE "C" NOT NULL,
  stored_at timestamptz NOT NULL,
  replayed_at timestamptz,
  PRIMARY KEY (organization_id, key_digest)
);
-- For the removal after 24 hours, and the erasure of a person.
CREATE INDEX idempotency_key_stored_at ON idempotency_key (organization_id, stored_at);
CREATE INDEX idempotency_key_resource ON idempotency_key (organization_id, resource_id);
