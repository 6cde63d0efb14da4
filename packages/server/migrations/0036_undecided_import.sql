-- compatible with: 0003

-- Imports of orders on which the rule of the tenant has not decided to the end: a row goes in with the orders and out with the last
-- decision. One that is still there when it is due was ended in between, and a clockwork of the service does the rest.
CREATE TABLE undecided_import (
  organization_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  -- The instant of the orders.
  imported_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  -- The orders up to this identifier were looked at.
  behind text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (organization_id, tenant_id, imported_at),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant
)
