let requests = 0;

/** An address of this machine, by turns one of a thousand: whoever is refused again and again from one is slowed down. */
export function someAddress(): string {
  const n = requests++ % 1000;
  return `127.1.${n >> 8}.${n & 255 || 1}`;
}
