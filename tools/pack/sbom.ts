import { buildShrinkwrap, type LockFile } from './shrinkwrap.ts';

/** Licences that ask for no more than their text: permissive ones, and those of data and fonts. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

/** A package that a release contains or installs. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** An expression of SPDX. */
  readonly license: string;
  /** As in the lock file: the algorithm, and the digest in Base64. Null: it is part of a bundle. */
  readonly integrity: string | null;
}

/** The packages that a package of ours installs, in the versions of the lock file. */
export function installedComponents(
  lock: LockFile,
  folder: string,
  manifest: Parameters<typeof buildShrinkwrap>[2],
): Component[] {
  const { packages } = buildShrinkwrap(lock, folder, manifest) as LockFile;
  return Object.entries(packages).flatMap(([place, { version, license, integrity }]) => {
    const [, name] = /.*node_modules\/(.+)$/.exec(place) ?? [];
    if (name === undefined) return [];
    return [
      { name, version, license: String(license), integrity: (integrity as string | undefined) ?? null },
    ];
  });
}

/** The packages in the pages of the portal, from the licences that their build collects. */
export function bundledComponents(licenses: string): Component[] {
  return Array.from(licenses.matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm), ([, name, version, license]) => ({
    name: name!,
    version: version!,
    license: license!,
    integrity: null,
  }));
}

/** Each version once, by name. @throws Error for a licence that is not allowed */
export function checkComponents(components: readonly Component[]): Component[] {
  for (const { name, version, license } of components)
    if (!isAllowed(license))
      throw new Error(
        `${name} ${version} has the licence ${license}, which tools/pack/sbom.ts does not allow`,
      );
  const byName = new Map(components.map(one => [`${one.name}@${one.version}`, one]));
  return [...byName.values()].toSorted((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1));
}

/** Whether an expression of SPDX can be met with allowed licences. One with a choice inside of an AND is rejected. */
function isAllowed(license: string): boolean {
  if (/\) AND | AND \(/.test(license)) return false;
  const choices = license.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some(choice => choice.split(' AND ').every(one => allowed.has(one)));
}

const purlOf = ({ name, version }: Component) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** A bill of materials (CycloneDX 1.6). The same sources make the same one. */
export function buildSbom(version: string, components: readonly Component[]): object {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `kontor@${version}`,
        name: 'kontor',
        version,
        licenses: [{ expression: 'Apache-2.0' }],
      },
    },
    components: components.map(component => ({
      type: 'library',
      'bom-ref': purlOf(component),
      name: component.name,
      version: component.version,
      purl: purlOf(component),
      licenses: [{ expression: component.license }],
      ...(component.integrity && { hashes: [hashOf(component.integrity)] }),
    })),
    dependencies: [
      {
        ref: `kontor@${version}`,
        dependsOn: components.map(purlOf),
      },
    ],
  };
}

function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm, digest] = integrity.split('-') as [string, string];
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  };
}

/** The list of licences for people. */
export function licenseList(components: readonly Component[]): string {
  const rows = components.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  return `# Third-party packages

Kontor contains or installs these packages. Each installed one has its licence in its folder. The folder \`portal\` has the texts of those in
the pages of the portal.

| Package | Version | Licence |
| --- | --- | --- |
${rows.join('\n')}
`;
}
