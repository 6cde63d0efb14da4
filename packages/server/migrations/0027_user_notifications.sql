-- compatible with: 0015

-- The notifications of a user of the portal (features/users/notifications). A user without a row has the usual kinds.
CREATE TABLE user_notification (
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  by_mail boolean NOT NULL DEFAULT true,
  -- Kinds that the user has chosen or declined. The other ones follow from the permissions.
  chosen text[] NOT NULL DEFAULT '{}',
  declined text[] NOT NULL DEFAULT '{}',
  -- The user has read all until then; null: nothing yet.
  read_until timestamptz,
  -- The last digest was queued then, also one without content; null: none yet.
  digest_at timestamptz,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES portal_user ON DELETE CASCADE
);

-- When a job first saw that the key fails; null once it has recovered for a day.
ALTER TABLE api_key ADD COLUMN failing_reported_at timestamptz;
