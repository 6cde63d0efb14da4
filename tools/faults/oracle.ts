import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './http-client.ts';

/** Tells how an answer departs from what is expected; null: in nothing. */
export type Oracle = (answer: Answer) => string | null;

/** Expects this status and exactly this body. */
export function exactly(status: number, body: unknown): Oracle {
  return answer =>
    answer.status === status && isDeepStrictEqual(answer.body, body)
      ? null
      : `${shortly(answer)} in place of ${status} ${excerpt(body)}`;
}

/** This status with a body that has at least these fields. */
export function having(status: number, fields: Readonly<Record<string, unknown>>): Oracle {
  return answer =>
    answer.status === status && hasFields(answer.body, fields)
      ? null
      : `${shortly(answer)} in place of ${status} ${excerpt(fields)}`;
}

/** A rejection with this status and code. */
export function rejected(status: number, code: string): Oracle {
  return answer =>
    answer.status === status && answer.body?.error?.code === code
      ? null
      : `${shortly(answer)} in place of ${status} ${code}`;
}

/** The page of a collection with exactly these items, of as many in all. */
export function page(items: readonly unknown[], total: number, pageSize: number): Oracle {
  const body = { page: 1, pageSize, totalPages: Math.ceil(total / pageSize), totalElements: total, items };
  return exactly(200, body);
}

export function hasFields(body: unknown, fields: Readonly<Record<string, unknown>>): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Object.entries(fields).every(([name, value]) => isDeepStrictEqual(Reflect.get(body, name), value));
}

/**
 * The faults in the form of an answer, whatever its content: every answer carries the request identifier, an error the
 * envelope, and a 503 names when to try again (specification.md 2.10).
 */
export function* formProblems(answer: Answer): Generator<string> {
  const { status, headers, body, requestId } = answer;
  if (headers['x-request-id'] !== requestId) yield `${status} with another X-Request-ID than was sent`;
  if (status < 400) return;
  const { code, message, requestId: named } = body?.error ?? {};
  if (typeof code !== 'string' || typeof message !== 'string' || named !== requestId)
    yield `${status} without the error envelope`;
  if (status !== 503) return;
  if (code !== 'SERVICE_UNAVAILABLE') yield `503 with the code ${code}`;
  if (!/^[1-9][0-9]*$/.test(String(headers['retry-after']))) yield '503 without Retry-After of at least 1';
}

/** Whether the message asks to read first, because the write may have been stored. */
export function advisesReading(message: string): boolean {
  return /\bread\b/i.test(message);
}

/** Whether the message states that the write was not stored. */
export function deniesStoring(message: string): boolean {
  return /\bnothing was stored\b/i.test(message);
}

function shortly({ status, body }: Answer): string {
  return `${status} ${body?.error?.code ?? excerpt(body)}`;
}

function excerpt(body: unknown): string {
  const text = JSON.stringify(body) ?? 'no JSON';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
