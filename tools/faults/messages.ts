/** The letter and the length that each message of PostgreSQL begins with. */
const headerLength = 5;

const readyForQuery = 'Z'.charCodeAt(0);

/**
 * Finds where PostgreSQL reports that it is ready for the next statement, in the bytes of a connection from its beginning
 * on. A message is a letter, then the length with itself but without the letter (PostgreSQL documentation, Message Formats).
 */
export class ReadyFinder {
  readonly #header = Buffer.alloc(headerLength);
  #filled = 0;
  /** What is still to come of the message after its header. */
  #left = 0;

  /** The positions in these bytes right behind each ReadyForQuery that ends in them. */
  find(bytes: Buffer): number[] {
    const found: number[] = [];
    for (let at = 0; at < bytes.length;) {
      if (this.#filled < headerLength) {
        this.#header[this.#filled++] = bytes[at++]!;
        if (this.#filled < headerLength) continue;
        this.#left = this.#header.readInt32BE(1) - 4;
      }
      const taken = Math.min(this.#left, bytes.length - at);
      this.#left -= taken;
      at += taken;
      if (this.#left > 0) continue;
      if (this.#header[0] === readyForQuery) found.push(at);
      this.#filled = 0;
    }
    return found;
  }
}
