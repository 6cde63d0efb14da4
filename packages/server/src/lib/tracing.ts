/*
 * Spans of the current trace (OpenTelemetry's words). While traces are off, and in a request that is not sampled, these functions
 * only run the work.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Words of the code or the contract, statements without values, and numbers. Never a value of a request, of a row or of a person. */
export type Attributes = Readonly<Record<string, string | number>>;

export interface Span {
  readonly traceId: string;
  /** Whether it is recorded. If not, no span begins inside it. */
  readonly isSampled: boolean;
  /** `failure` is what the work threw; only its type is recorded. */
  end(outcome?: { readonly attributes?: Attributes; readonly failure?: unknown }): void;
}

export interface SpanStart {
  readonly kind?: 'server' | 'client';
  readonly attributes?: Attributes | undefined;
  /** The span or the `traceparent` of a request that it is part of. Absent: a trace begins. */
  readonly parent?: Span | string | undefined;
  readonly links?: readonly Span[];
}

export interface Tracer {
  start(name: string, how: SpanStart): Span;
}

let tracer: Tracer | null = null;
const current = new AsyncLocalStorage<Span | undefined>();

/** From here on this process records spans; null: none. */
export function useTracer(used: Tracer | null): void {
  tracer = used;
}

/** Begins a trace, or continues that of the `traceparent`. Undefined while traces are off. */
export function startTrace(name: string, how: SpanStart = {}): Span | undefined {
  return tracer?.start(name, how);
}

/** The span that the caller runs in, if it is recorded. */
export function currentSpan(): Span | undefined {
  return tracer === null ? undefined : current.getStore();
}

/** Begins a span inside the current one, for work that ends elsewhere. Undefined without a current one. */
export function startSpan(name: string, how: SpanStart = {}): Span | undefined {
  const parent = currentSpan();
  return parent && tracer?.start(name, { parent, ...how });
}

/** Runs work inside a span; undefined or not sampled: inside none. The storage costs every await in it, so it is left alone if it can be. */
export function runInSpan<T>(span: Span | undefined, work: () => T): T {
  const wanted = span?.isSampled ? span : undefined;
  return tracer === null || wanted === current.getStore() ? work() : current.run(wanted, work);
}

/** Runs work in a span of its own inside the current one. */
export function inSpan<T>(name: string, work: () => Promise<T>, attributes?: Attributes): Promise<T> {
  const span = startSpan(name, { attributes });
  return span ? ending([span], runInSpan(span, work)) : work();
}

/** Runs work in a trace of its own. */
export function inTrace<T>(name: string, work: () => Promise<T>): Promise<T> {
  const span = startTrace(name);
  return span ? ending([span], runInSpan(span, work)) : work();
}

/** Runs work that several traces wait for. The first one gets the spans of the work, and the others one that links to it. */
export function inSharedSpan<T>(
  name: string,
  parents: readonly (Span | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  if (tracer === null) return work();
  const [first, ...others] = parents.filter(parent => parent !== undefined);
  if (!first) return runInSpan(undefined, work);
  const span = tracer.start(name, { parent: first });
  const linked = others.map(parent => tracer!.start(name, { parent, links: [span] }));
  return ending([span, ...linked], runInSpan(span, work));
}

async function ending<T>(spans: readonly Span[], work: Promise<T>): Promise<T> {
  try {
    const result = await work;
    for (const span of spans) span.end();
    return result;
  } catch (failure) {
    for (const span of spans) span.end({ failure });
    throw failure;
  }
}
