-- compatible with: 0003

-- Which organization a key belongs to, so that its identifier is looked up in one place, and not on every node that tables are
-- distributed over. It is written with the key and never changed.
CREATE TABLE key_organization (
  key_id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL
);
-- Processes of the release before do not write it. The next release drops this trigger, and the index api_key_id.
CREATE FUNCTION note_key_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_organization (key_id, organization_id) VALUES (NEW.id, NEW.organization_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER key_created AFTER INSERT ON api_key FOR EACH ROW EXECUTE FUNCTION note_key_organization();
INSERT INTO key_organization (key_id, organization_id) SELECT id, organization_id FROM api_key ON CONFLICT DO NOTHING;
-- It has no primary key, since division_id may be null. A cluster can only move rows to another node that it can name.
ALTER TABLE api_key_grant REPLICA IDENTITY FULL;
