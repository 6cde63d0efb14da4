-- compatible with: 0006

-- Settings of an organization. Days: null is no limit, or a key that does not expire by itself.
ALTER TABLE organization
  ADD COLUMN default_key_days integer,
  ADD COLUMN max_key_days integer,
  ADD COLUMN min_password_length integer NOT NULL DEFAULT 12,
  ADD COLUMN default_language text COLLATE "C" NOT NULL DEFAULT 'en';
