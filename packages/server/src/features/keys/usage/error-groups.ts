import type { ErrorCode } from '@kontor/contract';

/** Max groups stored per key. The ones without an error for longest are dropped. */
export const groupsKept = 20;

/** Max groups per operation and code: a loop with another message each time drops no other groups. */
export const groupsKeptPerCode = 3;

/** Max request identifiers per group. */
export const requestIdsKept = 5;

/** Equal error responses: of one operation and code, with messages that differ only in numbers. */
export interface ErrorGroup {
  readonly operation: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** The newest message. Contains no values from the request. */
  readonly message: string;
  /** The message without its numbers. */
  readonly pattern: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The newest first. */
  readonly requestIds: readonly string[];
}

export interface AnsweredRequest {
  readonly operation: string;
  readonly requestId: string;
  /** The error in the response; null for a success. */
  readonly rejection: { readonly code: ErrorCode; readonly message: string } | null;
}

/** The errors of a key since the last write. Their number is bounded. */
export class ErrorGroups implements Iterable<ErrorGroup> {
  /** The group with the newest error is the last. */
  readonly #groups = new Map<string, ErrorGroup>();

  [Symbol.iterator](): Iterator<ErrorGroup> {
    return this.#groups.values();
  }

  /** `at` is in milliseconds. */
  add({ operation, requestId, rejection }: AnsweredRequest, status: number, at: number): void {
    const given = rejection ?? aborted;
    const message = withoutValues(given.message);
    const pattern = message.replaceAll(/\d+/g, '#');
    const times = { count: 1, firstAt: at, lastAt: at };
    this.#add({ operation, status, code: given.code, message, pattern, ...times, requestIds: [requestId] });
  }

  /** Adds earlier errors that could not be written. */
  addEarlier(earlier: ErrorGroups): void {
    const later = [...this.#groups.values()];
    this.#groups.clear();
    for (const group of [...earlier, ...later]) this.#add(group);
  }

  #add(group: ErrorGroup): void {
    const name = [group.operation, group.code, group.pattern].join(' ');
    const earlier = this.#groups.get(name);
    this.#groups.delete(name);
    this.#groups.set(name, earlier ? merge(earlier, group) : group);
    if (!earlier) this.#dropOldest(group);
  }

  /** After a new group: drops one of its operation and code, or else one of all, when there are too many. */
  #dropOldest({ operation, code }: ErrorGroup): void {
    const [...all] = this.#groups;
    const alike = all.filter(([, other]) => other.operation === operation && other.code === code);
    const oldest = alike.length > groupsKeptPerCode ? alike[0] : all.length > groupsKept ? all[0] : undefined;
    if (oldest) this.#groups.delete(oldest[0]);
  }
}

function merge(earlier: ErrorGroup, later: ErrorGroup): ErrorGroup {
  return {
    ...later,
    count: earlier.count + later.count,
    firstAt: earlier.firstAt,
    requestIds: [...later.requestIds, ...earlier.requestIds].slice(0, requestIdsKept),
  };
}

/** For a download that failed after its headers were sent. */
const aborted = {
  code: 'BAD_GATEWAY',
  message: 'The file store failed while the file was sent; download it again',
} as const;

/** In characters. */
const maxMessage = 300;

/** Removes values of the request from a message, since they may be personal data. Messages quote such values, except identifiers. */
function withoutValues(message: string): string {
  return message
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/\b[0-9a-f]{24}\b/gi, '…')
    .slice(0, maxMessage);
}
