/** A statement that is meant to reach rows of any organization. */
interface UnboundStatement {
  /** Its text, with single spaces. */
  readonly is: RegExp;
  readonly because: string;
}

/** All other statements are bound to one organization; see `bound-statements.ts`. */
const unboundStatements: readonly UnboundStatement[] = [
  {
    is: /^SELECT organization_id FROM key_organization WHERE key_id = \$1$/,
    because: 'a key is looked up by its identifier: it tells the organization',
  },
  {
    is: /^SELECT organization_id AS "organizationId", user_id AS "userId" FROM portal_email WHERE email_key = \$1$/,
    because: 'who signs in is looked up by the email alone: it tells the organization',
  },
  {
    is: /^SELECT organization_id AS "organizationId", user_id AS "userId" FROM portal_identity WHERE identity_key = \$1$/,
    because: 'who comes from an issuer is looked up by the identity alone: it tells the organization',
  },
  {
    is: /^SELECT [^;]+ FROM api_key k WHERE \$1::text IS NULL OR k\.organization_id = \$2 ORDER BY k\.created_at, k\.id$/,
    because: 'an operator lists the keys of one organization, or of all',
  },
  {
    is: /^SELECT [^;]+ FROM api_key k WHERE k\.id = \$1$/,
    because: 'an operator looks at a key by its identifier alone',
  },
  {
    is: /^WITH first AS \( [^;]+ FROM api_key k CROSS JOIN first WHERE k\.status <> 'deleted' AND /,
    because: 'the report about peppers counts the keys of all organizations',
  },
  {
    is: /^SELECT organization_id AS "organizationId", file_id AS id FROM file_pending WHERE at <= /,
    because: 'files that were never stored are removed, whosever they are',
  },
  {
    is: /^SELECT FROM organization LIMIT 1$/,
    because: 'a restore is rejected if there is any organization',
  },
  {
    is: /^SELECT 1 FROM file_slice LIMIT 1$/,
    because: 'a start with a file store is rejected if the database has files of anyone',
  },
  {
    is: /^SELECT organization_id FROM tenant WHERE id = \$1$/,
    because: 'an operator names a tenant by its identifier alone',
  },
  {
    is: /^SELECT r\.organization_id, r\.doc FROM organization o JOIN \w+ r ON r\.organization_id = o\.id AND r\.id = \$1$/,
    because: 'an operator looks at a resource by its identifier alone',
  },
  {
    is: /^SELECT r\.organization_id AS "organizationId" FROM organization o JOIN payroll_run r ON r\.organization_id = o\.id AND r\.id = \$1$/,
    because: 'an operator names a payroll run by its identifier alone',
  },
  {
    is: /^SELECT organization_id AS "organizationId", id FROM background_job WHERE type = ANY\(\$1::text\[\]\) AND /,
    because: 'a worker looks for queued jobs of all organizations',
  },
  {
    is: /^SELECT due\.\* FROM organization g CROSS JOIN LATERAL \( SELECT k\.organization_id AS "organizationId", count\(\*\)::int AS count, /,
    because: 'a job looks for keys that come to their end, whosever they are',
  },
  {
    is: /^SELECT organization_id AS "organizationId", count\(\*\)::int AS count FROM \w+ WHERE doc_version < \d+ GROUP BY organization_id$/,
    because: 'a scheduled job looks for documents of an older version in all organizations',
  },
  {
    is: /^SELECT due\.\* FROM (tenant t|organization g|undecided_import u) CROSS JOIN LATERAL \( SELECT o\.organization_id AS "organizationId", count\(\*\)::int AS count, /,
    because: 'the jobs look for orders whose time has come, whosever they are',
  },
  {
    is: /^SELECT organization_id AS "organizationId", count\(\*\)::int AS count, [^;]+ FROM mail GROUP BY organization_id ORDER BY since$/,
    because: 'mails are sent, whosever they are',
  },
  {
    is: /^SELECT due\.\* FROM organization o CROSS JOIN LATERAL \( SELECT [kqu]\.organization_id AS "organizationId", count\(\*\)::int AS (applying|count), /,
    because: 'the jobs look for keys that need attention and for old uses of keys, in all organizations',
  },
  {
    is: /^SELECT count\(\*\) AS n FROM "\w+"$/,
    because: 'a backup counts the rows of each table',
  },
  {
    is: /^SELECT o\.id, o\.name, [^;]+ FROM organization o WHERE \$4::text IS NULL OR o\.id = \$5 ORDER BY o\.id$/,
    because: 'an operator lists all organizations, or one',
  },
  {
    is: /^SELECT t\.id, t\.name, [^;]+ FROM organization o JOIN tenant t ON t\.organization_id = o\.id WHERE \(\$3::text IS NULL OR o\.id = \$4\) AND \(\$5::text IS NULL OR t\.id = \$6\) ORDER BY o\.id, t\.id$/,
    because: 'an operator lists the tenants of all organizations, or of one, or looks at one',
  },
  {
    is: /^SELECT total\.n AS page_total, page\.\* FROM \(SELECT count\(\*\)::int FROM \( SELECT id, name, folded_name, created_at FROM organization\b/,
    because: 'the platform lists the organizations that a token works for',
  },
  {
    is: /^SELECT \* FROM \( SELECT id, name, folded_name, created_at FROM organization WHERE closed_at IS NULL( AND id = ANY\(\$1::text\[\]\))?\) AS rows WHERE id = \$\d$/,
    because: 'the platform reads one of the organizations that a token works for',
  },
  {
    is: /^SELECT due\.\* FROM audit_retention r CROSS JOIN LATERAL /,
    because: 'a job looks for entries that are no longer kept, whosever they are',
  },
  {
    is: /^SELECT organization_id AS "organizationId" FROM audit_retention ORDER BY 1$/,
    because: 'entries that are no longer kept are removed, whosever they are',
  },
  {
    is: /^SELECT id FROM organization WHERE closed_at IS NOT NULL$/,
    because: 'the jobs and mails of closed organizations wait',
  },
];

/** Whether a statement is one of them. */
export function isUnbound(text: string): boolean {
  const spaced = text.trim().replaceAll(/\s+/g, ' ');
  return unboundStatements.some(({ is }) => is.test(spaced));
}
