import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { SyncError } from './sync-error.ts';

interface StoreOptions {
  /** The company that the file belongs to. */
  readonly origin: string;
  readonly tables: string;
  /** With `NORMAL` a power failure may lose the last commits, but no part of one. */
  readonly synchronous: 'FULL' | 'NORMAL';
}

/** A SQLite file of one company, for its owner only. A process locks it until it ends. */
export class Store {
  protected readonly db: DatabaseSync;
  readonly #file: string;

  /** Opens the file, or makes it. @throws SyncError while another process has it, or for another company */
  constructor(file: string, { origin, tables, synchronous }: StoreOptions) {
    this.#file = file;
    try {
      closeSync(openSync(file, 'a', 0o600));
      this.db = new DatabaseSync(file);
    } catch (error) {
      throw new SyncError(`${file} cannot be opened: ${(error as Error).message}`);
    }
    try {
      // Without secure_delete, the data of an erased person stay in free pages.
      this.db.exec(
        `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA secure_delete = ON`,
      );
      this.db.exec(
        `BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT; ${tables} COMMIT`,
      );
      const known = this.setting('origin') ?? origin;
      if (known !== origin)
        throw new SyncError(
          `${file} has the data of ${known}, and the configuration is for ${origin}: correct baseUrl or tenant there, or use another file`,
        );
      this.setSetting('origin', origin);
    } catch (error) {
      this.db.close();
      if (error instanceof SyncError) throw error;
      const { message } = error as Error;
      const todo = /locked/.test(message)
        ? 'is in use: wait until the other kontor-sync has ended'
        : `cannot be opened: ${message}. If it is damaged, move it away`;
      throw new SyncError(`${file} ${todo}`);
    }
  }

  close(): void {
    this.db.close();
  }

  /** Runs a function in one transaction. @throws SyncError that names the file, as after a full disk */
  transaction<T>(run: () => T): T {
    this.db.exec('BEGIN');
    try {
      const result = run();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      try {
        this.db.exec('ROLLBACK');
      } catch {
        // SQLite has done so already, as after a full disk.
      }
      const { code, message } = error as NodeJS.ErrnoException;
      throw code === 'ERR_SQLITE_ERROR' ? new SyncError(`${this.#file}: ${message}`) : error;
    }
  }

  setting(name: string): string | undefined {
    return this.rows<{ value: string }>('SELECT value FROM setting WHERE name = ?', name)[0]?.value;
  }

  setSetting(name: string, value: string | null): void {
    if (value === null) this.run('DELETE FROM setting WHERE name = ?', name);
    else this.run('INSERT OR REPLACE INTO setting VALUES (?, ?)', name, value);
  }

  protected rows<Row>(sql: string, ...values: readonly SQLInputValue[]): Row[] {
    return this.db.prepare(sql).all(...values) as Row[];
  }

  /** Returns how many rows were changed. */
  protected run(sql: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.db.prepare(sql).run(...values).changes);
  }
}
