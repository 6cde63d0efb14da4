-- compatible with: 0003

-- What the platform calls an order that it has handed in, and the digest of what it said then, which tells the same intake from
-- another one. Null of orders that were imported, and the digest once the data of the person were erased.
ALTER TABLE employee_order ADD COLUMN external_id text COLLATE "C";
ALTER TABLE employee_order ADD COLUMN intake_digest text COLLATE "C";
