import { DatabaseUnavailable } from '../../packages/server/src/db/failure.ts';
import {
  type FileStore,
  FileStoreError,
  FileStoreTooSlow,
} from '../../packages/server/src/files/file-store.ts';

/** What a store rejects with so that the download is answered with the status. No client can bring these about. */
const faults = {
  500: () => new Error('a fault of the service'),
  502: () => new FileStoreError('the store failed'),
  503: () => new DatabaseUnavailable('the database is away'),
  504: () => new FileStoreTooSlow('the store was too slow'),
} as const;

export type FaultStatus = keyof typeof faults;

export const faultStatuses = Object.keys(faults).map(Number) as FaultStatus[];

/** The store, but to open a file that is named in `broken` fails in such a way that the download is answered with its status. */
export function partlyBroken(store: FileStore, broken: ReadonlyMap<string, FaultStatus>): FileStore {
  return {
    ...store,
    open: file => {
      const status = broken.get(file.id);
      return status === undefined ? store.open(file) : Promise.reject(faults[status]());
    },
  };
}
