/**
 * The servers that Kontor is measured against: bare node:http on the same database, without contract, keys, scope, quota,
 * totals, clock or audit. Run with the URL of the database in BENCH_DATABASE and a port in BENCH_PORT.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import type { Duplex } from 'node:stream';
import { Parser } from 'pg-protocol/dist/parser.js';

/**
 * The driver with a parser that reads latin1, so values are strings with a character a byte. For rows of half a kilobyte
 * that is the fastest way of a bare server.
 */
class LatinSession extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, types: { getTypeParser: () => (value: string) => value } });
    const connection = this.connection as unknown as Connection;
    connection.attachListeners = stream => {
      const parser = new Parser();
      (parser as unknown as Reader).reader.encoding = 'latin1';
      stream.on('data', (bytes: Buffer) =>
        parser.parse(bytes, message =>
          connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message),
        ),
      );
    };
  }
}

/** Members of the driver's connection and parser that their types lack (pg 8.23, pg-protocol 1.16). */
interface Connection {
  attachListeners(stream: Duplex): void;
  emit(event: string, message: unknown): boolean;
}
interface Reader {
  readonly reader: { encoding: BufferEncoding };
}

const { BENCH_DATABASE, BENCH_PORT } = process.env;
const pool = new pg.Pool({
  connectionString: BENCH_DATABASE!,
  max: 10,
  idleTimeoutMillis: 0,
  Client: LatinSession as unknown as new () => pg.ClientBase,
});
let cached = '{}';

/** The rows of a prepared statement, each value as its bytes in characters (latin1). */
async function queryRows(text: string, values: readonly string[]): Promise<string[][]> {
  const query = { name: text, text, values: [...values], rowMode: 'array' as const };
  return (await pool.query<string[]>(query)).rows;
}

/** What stands behind the name in the path, part by part: a ceiling spends no time on parsing addresses. */
type Handler = (parts: string[], request: IncomingMessage) => Promise<string>;

const pageOfOrganization = 'SELECT doc FROM employee WHERE organization_id = $1 ORDER BY id LIMIT 100';
const pageOfTenant =
  'SELECT doc FROM employee WHERE organization_id = $1 AND tenant_id = $2 ORDER BY id LIMIT 100';
const byId = 'SELECT doc FROM employee WHERE organization_id = $1 AND id = $2';

const handlers: Record<string, Handler> = {
  // Only so that the benchmark sees when the server is up.
  v1: async () => '{}',
  cached: async () => cached,
  page: async parts => joined(await queryRows(parts.length === 1 ? pageOfOrganization : pageOfTenant, parts)),
  rows: async ([table, organization]) =>
    joined(
      await queryRows(`SELECT doc FROM ${table} WHERE organization_id = $1 ORDER BY id LIMIT 100`, [
        organization!,
      ]),
    ),
  get: async parts => (await queryRows(byId, parts))[0]![0]!,
  insert: async ([organization, tenant, id], request) => {
    const body = JSON.parse(await readText(request)) as Record<string, string>;
    const doc = JSON.stringify({ id, ...body });
    await queryRows(insertion, [organization!, id!, tenant!, ...foldedValues(body), doc]);
    return Buffer.from(doc).toString('latin1');
  },
};

const insertion = `
  INSERT INTO employee (organization_id, id, tenant_id, email_key, employee_number, folded_email,
    folded_employee_number, folded_first_name, folded_last_name, folded_street, folded_postal_code, folded_city,
    folded_country_code, search, blocked, created_at, updated_at, doc_version, fold_version, doc)
  VALUES ($1, $2, $3, $4, $5, $4, $5, $6, $7, $8, $9, $10, $11, $12, false, now(), now(), 1, 1, $13)`;

function foldedValues(body: Record<string, string>): string[] {
  const folded = [
    'email',
    'employeeNumber',
    'firstName',
    'lastName',
    'street',
    'postalCode',
    'city',
    'countryCode',
  ].map(name => body[name]!.toLowerCase());
  return [...folded, `\n${folded.join('\n')}\n`];
}

function joined(rows: string[][]): string {
  return `{"items":[${rows.map(row => row[0]!).join(',')}]}`;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body, 'latin1');
}

const [organization] = await queryRows('SELECT id FROM organization ORDER BY id LIMIT 1', []);
cached = await handlers['page']!([organization![0]!], undefined as never);
const server = createServer((request, response) => {
  const [, name, ...parts] = request.url!.split('/');
  handlers[name!]!(parts, request).then(
    body => send(response, body),
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(Number(BENCH_PORT), '127.0.0.1', () => console.log('listening'));
