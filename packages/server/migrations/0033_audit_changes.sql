-- compatible with: 0015

-- Values of settings before and after a change, by field. Unlike jsonb, json keeps their order.
ALTER TABLE audit ADD COLUMN changes json;
