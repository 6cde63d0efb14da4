/** A package as package-lock.json describes it, as far as it is read here. */
interface Locked {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

export interface LockFile {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, Locked>>;
}

/**
 * Builds the `npm-shrinkwrap.json` of a package: its dependencies at run time, in the versions of the lock file.
 * The file is followed
 * by `npm ci` in the unpacked folder, and by an installation from a registry, but not by one from a `.tgz` file.
 */
export function buildShrinkwrap(
  { lockfileVersion, packages }: LockFile,
  folder: string,
  manifest: Locked,
): object {
  const home = `packages/${folder}`;
  const { dependencies, optionalDependencies, version } = manifest;
  const found = new Map<string, Locked>();
  const waiting: [location: string, names: string[]][] = [
    [home, namesOf({ ...manifest, peerDependencies: {} })],
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [location, names] = next;
    for (const name of names) {
      const place = findPlace(packages, location, name);
      // Peers may be optional, and then nobody has installed them.
      if (place === null || found.has(place)) continue;
      const locked = packages[place]!;
      found.set(place, locked);
      waiting.push([place, namesOf(locked)]);
    }
  }
  const entries = [...found].map(([place, locked]) => [placeInPackage(place, home), locked] as const);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const { name } = manifest;
  const root = { name, version, dependencies, optionalDependencies };
  return {
    name,
    version,
    lockfileVersion,
    requires: true,
    packages: { '': root, ...Object.fromEntries(sorted) },
  };
}

function namesOf({ dependencies, optionalDependencies, peerDependencies }: Locked): string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/** Where Node finds a package: in the nearest `node_modules` upwards. */
function findPlace(packages: LockFile['packages'], location: string, name: string): string | null {
  const above = location.split('/node_modules/');
  for (let depth = above.length; depth >= 0; depth--) {
    const parent = above.slice(0, depth).join('/node_modules/');
    const place = `${parent === '' ? '' : `${parent}/`}node_modules/${name}`;
    if (packages[place]) return place;
  }
  return null;
}

/** A package that only this one has, because the others use another version, is at the top of its installation. */
function placeInPackage(place: string, home: string): string {
  if (!place.startsWith('packages/')) return place;
  if (!place.startsWith(`${home}/`)) throw new Error(`${place} is no dependency of ${home}`);
  return place.slice(home.length + 1);
}
