-- compatible with: 0003

-- Days in which an order of the tenant must be decided; then it expires. Null: it may wait for ever, as it does where only processes
-- run that do not know the column.
ALTER TABLE tenant ADD COLUMN decision_days integer;
