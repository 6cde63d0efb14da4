import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { buildSbom, bundledComponents, checkComponents, installedComponents } from '../pack/sbom.ts';
import type { LockFile } from '../pack/shrinkwrap.ts';
import { signatureNamespace, writeSums } from '../pack/sums.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const readJson = (file: string) => JSON.parse(readFileSync(path.join(repository, file), 'utf8'));
const lock = readJson('package-lock.json') as LockFile;

const folder = mkdtempSync(path.join(tmpdir(), 'kontor-sums-'));
after(() => rmSync(folder, { recursive: true }));

for (const part of ['server', 'embedded-postgres'])
  test(`every package that ${part} installs has an allowed licence and a digest`, () => {
    const components = installedComponents(lock, part, readJson(`packages/${part}/package.json`));
    const checked = checkComponents(components.filter(({ name }) => !name.startsWith('@kontor/')));
    assert.ok(checked.length > 5);
    assert.deepEqual(
      checked.filter(({ integrity }) => integrity === null),
      [],
    );
  });

test('a licence that is not allowed is an error with the name of the package', () => {
  const component = { name: 'a', version: '1.0.0', license: 'AGPL-3.0-only', integrity: null };
  assert.throws(() => checkComponents([component]), /^Error: a 1\.0\.0 has the licence AGPL-3\.0-only/);
  assert.throws(() => checkComponents([{ ...component, license: '(MIT AND GPL-2.0)' }]), /a 1\.0\.0/);
  assert.throws(
    () => checkComponents([{ ...component, license: '(MIT OR GPL-2.0) AND GPL-2.0' }]),
    /a 1\.0\.0/,
  );
  assert.equal(checkComponents([{ ...component, license: '(MIT OR GPL-2.0)' }]).length, 1);
});

test('a bill of materials names each version once, with its digest in hexadecimal', () => {
  const bundled = bundledComponents('## react - 19.0.0 (MIT)\n\nMIT License\n\n## @a/b - 1.0.0 (ISC)\n');
  const digest = `sha512-${Buffer.from('x'.repeat(64)).toString('base64')}`;
  const installed = { name: 'pg', version: '8.0.0', license: 'MIT', integrity: digest };
  const sbom = buildSbom('1.2.3', checkComponents([...bundled, installed, installed])) as any;
  assert.deepEqual(
    sbom.components.map(({ purl }: any) => purl),
    ['pkg:npm/%40a/b@1.0.0', 'pkg:npm/pg@8.0.0', 'pkg:npm/react@19.0.0'],
  );
  assert.deepEqual(sbom.components[1].hashes, [{ alg: 'SHA-512', content: '78'.repeat(64) }]);
  assert.equal(sbom.metadata.component.version, '1.2.3');
});

test('the signature of the checksums verifies with the key, and not after a change', () => {
  const key = path.join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  writeFileSync(path.join(folder, 'a.tgz'), 'a');
  writeSums(folder, ['a.tgz'], key);
  const sums = readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8');
  assert.equal(sums, 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a.tgz\n');
  const signers = path.join(folder, 'allowed_signers');
  writeFileSync(signers, `releases@kontor.example ${readFileSync(`${key}.pub`, 'utf8')}`);
  const verify = (input: string) =>
    execFileSync(
      'ssh-keygen',
      [
        '-Y',
        'verify',
        '-f',
        signers,
        '-I',
        'releases@kontor.example',
        '-n',
        signatureNamespace,
        '-s',
        path.join(folder, 'SHA256SUMS.sig'),
      ],
      { input, stdio: ['pipe', 'ignore', 'ignore'] },
    );
  verify(sums);
  assert.throws(() => verify(sums.replace('ca97', 'ca98')));
});
