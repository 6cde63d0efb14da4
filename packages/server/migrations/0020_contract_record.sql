-- compatible with: 0015

-- Early ends and versions of the contract of an order, with their authors (features/orders/contract-record.ts); null while there are none. An
-- erasure empties it: reasons and comments are about the person.
ALTER TABLE employee_order ADD COLUMN contract_record json;

-- List price and benefit rule of each product, in their order; null: the taxable benefit follows from the list price of the contract.
ALTER TABLE employee_order ADD COLUMN product_benefits json;

-- Versions of contracts whose amounts the document does not show yet. A scheduled job shows them in their month.
CREATE TABLE contract_version_due (
  organization_id text COLLATE "C" NOT NULL,
  from_month text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, from_month, order_id)
);
