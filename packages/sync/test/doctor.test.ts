import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { contractVersion as current } from '@kontor/contract';
import { createKey } from '../../server/src/cli/access/key.ts';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import { testDivision, testKey, testPepper } from '../../server/test/support/data/test-data.ts';
import { faultProxy } from '../../sdk/test/support/fault-proxy.ts';
import { type Check, contractVersion } from '../src/doctor/checks.ts';
import { type Company, runHere, useCompanies } from './support/company.ts';

const { fixture, makeCompany } = useCompanies();

/** Runs the doctor. Returns the checks that are not ok, by name. @throws unless the exit code is the given one */
async function examine(
  { folder, apiKey }: Company,
  exitCode: number,
  key = apiKey,
): Promise<Record<string, string>> {
  const args = ['doctor', '--json', '--config', path.join(folder, 'kontor-sync.json')];
  const ran = await runHere(args, { KONTOR_API_KEY: key });
  assert.equal(ran.exitCode, exitCode, ran.stdout + ran.stderr);
  const { checks } = JSON.parse(ran.stdout) as { checks: Check[] };
  return Object.fromEntries(
    checks.filter(({ state }) => state !== 'ok').map(({ name, text, todo }) => [name, `${text} → ${todo}`]),
  );
}

/** A service that is answered for, with another header or body. */
async function altered(
  alter: (headers: Headers, body: string) => string,
  run: (url: string) => Promise<void>,
) {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { 'x-api-key': key = '' } = request.headers;
    const answered = await fetch(fixture.service.url + request.url, {
      headers: { 'X-API-Key': String(key) },
    });
    const headers = new Headers(answered.headers);
    const body = alter(headers, await answered.text());
    headers.delete('content-length');
    response.writeHead(answered.status, Object.fromEntries(headers)).end(body);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('kontor-sync doctor', () => {
  test('finds nothing wrong with a key of a company, and names each check', async () => {
    const company = await makeCompany();
    const { exitCode, stdout } = await company.run('doctor');
    assert.equal(exitCode, 0, stdout);
    const names = stdout.split('\n').map(line => line.split(/ +/).slice(0, 2).join(' '));
    const checks = ['address', 'certificate', 'clock', 'contract', 'key', 'scope', 'quota'];
    assert.deepEqual(names, [...checks.map(name => `ok ${name}`), '']);
    assert.match(stdout, /quota +1,000,000 requests in 60 s, \d+ left/);
    assert.match(stdout, /scope +0 divisions, 0 employees, 0 orders/);
  });

  test('says what to do about an address that does not answer, or is not of Kontor', async () => {
    const closed = await faultProxy(fixture.service.url);
    await closed.close();
    const company = await makeCompany(closed.url);
    assert.match((await examine(company, 1))['address']!, /ECONNREFUSED.* → check the name and port/);
    const proxy = await faultProxy(fixture.service.url);
    proxy.next = () => 'html';
    await company.configure({ baseUrl: proxy.url });
    const found = await examine(company, 1).finally(() => void proxy.close());
    assert.match(found['address']!, /→ set baseUrl to the address of the API, which ends in \/v1/);
  });

  test('compares the clock, and the contract', async () => {
    const company = await makeCompany();
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    const alter = (headers: Headers, body: string) => {
      headers.set('date', later);
      return body.replace(`"version":"${current}"`, '"version":"2.0.0"');
    };
    await altered(alter, async baseUrl => {
      await company.configure({ baseUrl });
      const found = await examine(company, 2);
      assert.match(found['clock']!, /^this machine is 3\d{3} s behind Kontor → set it by NTP/);
      assert.match(
        found['contract']!,
        /^Kontor has contract 2.0.0, this program was made for 1.0.0 → install/,
      );
    });
    assert.equal(contractVersion, current);
  });

  test('names what a key is for, and asks for no more than that', async () => {
    const company = await makeCompany();
    const { organization: organizationId } = company;
    const wrong = await examine(company, 1, 'kontor_wrong');
    assert.match(wrong['key']!, /^401 INVALID_API_KEY: .* → put an active key into KONTOR_API_KEY/);
    const { key } = await createKey(fixture.sql, testPepper, {
      organizationId,
      name: 'payroll',
      quota: { requests: 10, seconds: 60 },
      grants: 'all',
      permissions: ['payroll-export-documents:read'],
    });
    const { scope, quota } = await examine(company, 2, key);
    assert.match(
      scope!,
      /This key may only read payroll export documents.*→ use a key that writes employees/,
    );
    assert.match(quota!, /^10 requests in 60 s, 8 left → ask the operator/);
  });

  test('finds a key of divisions, of several companies, and of others', async () => {
    const company = await makeCompany();
    const { organization, tenant } = company;
    const place = { organizationId: organization, tenantId: tenant };
    const divisions = [
      await testDivision(fixture.sql, place, 'A'),
      await testDivision(fixture.sql, place, 'B'),
    ];
    for (const ids of [divisions.slice(1), divisions]) {
      const key = await testKey(fixture.sql, organization, { divisions: ids.map(id => ({ tenant, id })) });
      assert.match((await examine(company, 2, key))['scope']!, /some divisions only.* → set "access"/);
      await company.configure({ access: 'divisions' });
      assert.deepEqual(await examine(company, 0, key), {});
      await company.configure();
    }
    await createTenant(fixture.sql, organization, `Sister ${organization}`);
    assert.match((await examine(company, 1))['scope']!, /TENANT_CONTEXT_AMBIGUOUS.* → set tenant to/);
    await company.configure({ tenant: '0'.repeat(24) });
    assert.match((await examine(company, 1))['scope']!, /TENANT_NOT_IN_SCOPE.* → set tenant to a company/);
  });

  const noOpenssl =
    spawnSync('openssl', ['version']).status === 0 ? false : 'there is no openssl to make a certificate';
  test('names the fault of a certificate', { skip: noOpenssl }, async () => {
    const company = await makeCompany();
    const [key, cert] = ['key.pem', 'cert.pem'].map(name => path.join(company.folder, name)) as [
      string,
      string,
    ];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=kontor'];
    const names = ['-addext', 'subjectAltName=DNS:kontor.example'];
    execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const server = createSecureServer({ key: await readFile(key), cert: await readFile(cert) });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await company.configure({ baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}` });
    const found = await examine(company, 1).finally(() => server.close());
    assert.match(
      found['certificate']!,
      /rejects it: DEPTH_ZERO_SELF_SIGNED_CERT; it is for kontor.example, until .* → set NODE_EXTRA_CA_CERTS/,
    );
  });
});
