-- compatible with: 0003

-- How long data of people are kept where a tenant wants it otherwise than docs/personal-data.md says; a tenant without a row
-- has said nothing.
CREATE TABLE tenant_retention (
  organization_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  -- Whole calendar years behind the one in which an order has ended that the payroll has vouchers of.
  voucher_years integer NOT NULL CHECK (voucher_years >= 0),
  -- Days behind the last change of other orders and of incidents.
  other_days integer NOT NULL CHECK (other_days >= 0),
  PRIMARY KEY (organization_id, tenant_id),
  FOREIGN KEY (organization_id, tenant_id) REFERENCES tenant
);
-- When the data of the person were erased. What was written of them later (updated_at) is there.
ALTER TABLE employee ADD COLUMN erased_at timestamptz;
