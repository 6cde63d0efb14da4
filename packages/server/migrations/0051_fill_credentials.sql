-- compatible with: 0003
-- runs: in batches

-- Passkeys from before 0050 get their row; of several with one identifier the oldest.
INSERT INTO portal_credential (credential_id, organization_id, user_id, passkey_id)
SELECT p.credential_id, p.organization_id, p.user_id, p.id FROM portal_passkey p
WHERE NOT EXISTS (SELECT FROM portal_credential c WHERE c.credential_id = p.credential_id)
ORDER BY p.created_at, p.id LIMIT 1000
ON CONFLICT (credential_id) DO NOTHING
