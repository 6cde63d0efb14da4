/** Statements that are under way at once; what comes meanwhile waits for one of them and is the next. */
const maxUnderWay = 2;

/** Most rows that are looked up by one statement. */
const maxTogether = 50;

interface Waiting {
  readonly id: string;
  readonly resolve: (found: string | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks rows up by their identifiers. Those that are asked for while others are being read are read together by the next statement:
 * it is never one that was sent before somebody asked, so everybody sees what was committed by then.
 */
export class SharedLookups {
  readonly #read: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  #waiting: Waiting[] = [];
  #underWay = 0;

  /** `read` looks up those that there are, in one statement. */
  constructor(read: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>) {
    this.#read = read;
  }

  /** What there is of this identifier; null for nothing. @throws those of the statement */
  find(id: string): Promise<string | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject });
      if (this.#underWay < maxUnderWay) void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    this.#underWay++;
    while (this.#waiting.length > 0) await this.#readTogether(this.#waiting.splice(0, maxTogether));
    this.#underWay--;
  }

  async #readTogether(asked: readonly Waiting[]): Promise<void> {
    try {
      const found = await this.#read([...new Set(asked.map(({ id }) => id))]);
      for (const { id, resolve } of asked) resolve(found.get(id) ?? null);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
