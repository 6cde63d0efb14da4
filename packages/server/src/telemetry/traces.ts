import { setTimeout as delay } from 'node:timers/promises';
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span as ApiSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { build } from '../lib/build.ts';
import { type Span, type SpanStart, useTracer } from '../lib/tracing.ts';
import { describeCause } from './cause.ts';

/** The samplers of the OpenTelemetry specification. */
type BaseSampler = 'always_on' | 'always_off' | 'traceidratio';
export type TraceSampler = BaseSampler | `parentbased_${BaseSampler}`;

interface TraceSettings {
  readonly otlpEndpoint: string;
  readonly tracesSampler: TraceSampler;
  /** The share of requests, from 0 to 1. */
  readonly tracesSamplerArg: number;
}

/** Milliseconds that the last spans have to be sent when the process ends. */
const flushTimeout = 2_000;

/** Sends spans to the endpoint from here on. Imported only when traces are on, because the packages are optional and large. */
export function startTraces(
  { otlpEndpoint, tracesSampler, tracesSamplerArg }: TraceSettings,
  logger: Logger,
): { stop(): Promise<void> } {
  const url = new URL('v1/traces', otlpEndpoint.endsWith('/') ? otlpEndpoint : `${otlpEndpoint}/`).href;
  const exporter = new OTLPTraceExporter({ url });
  const outcomes = outcomeLog(logger);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'kontor', 'service.version': build.version }).merge(
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
      detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }),
    ),
    sampler: samplerOf(tracesSampler, tracesSamplerArg),
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(exporter, outcomes) })],
  });
  const tracer = provider.getTracer('kontor', build.version);
  useTracer({
    start: (name, how) =>
      new RecordedSpan(
        tracer.startSpan(
          name,
          { kind: kinds[how.kind ?? 'internal'], attributes: { ...how.attributes }, links: linksOf(how) },
          contextOf(how.parent),
        ),
      ),
  });
  return {
    async stop() {
      useTracer(null);
      const sent = provider.shutdown().catch(() => {});
      const late = new Error(`no answer within ${flushTimeout} ms`);
      if ((await Promise.race([sent, delay(flushTimeout, late, { ref: false })])) === late)
        outcomes.failed(late);
    },
  };
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

class RecordedSpan implements Span {
  readonly span: ApiSpan;
  readonly isSampled: boolean;

  constructor(span: ApiSpan) {
    this.span = span;
    this.isSampled = span.isRecording();
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  end({ attributes, failure }: Parameters<Span['end']>[0] = {}): void {
    if (attributes) this.span.setAttributes({ ...attributes });
    if (failure !== undefined)
      this.span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', describeType(failure));
    this.span.end();
  }
}

/** The code of an error, such as a SQLSTATE, or its class. Its message may quote values. */
function describeType(failure: unknown): string {
  const { code, type } = describeCause(failure);
  return code ?? type;
}

function contextOf(parent: SpanStart['parent']) {
  if (parent instanceof RecordedSpan) return trace.setSpan(ROOT_CONTEXT, parent.span);
  const remote = typeof parent === 'string' ? readTraceparent(parent) : null;
  return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}

/** Null for a header that is not `traceparent` of W3C Trace Context. Later versions may have more fields. */
function readTraceparent(header: string): SpanContext | null {
  const fields = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/.exec(header);
  if (!fields) return null;
  const [traceId, spanId, flags] = fields.slice(1) as [string, string, string];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(context) ? context : null;
}

function linksOf({ links = [] }: SpanStart) {
  return links.map(link => ({ context: (link as RecordedSpan).span.spanContext() }));
}

/** The sampler of the OpenTelemetry specification with this name. */
function samplerOf(name: TraceSampler, share: number): Sampler {
  const [base, parentBased] = name.startsWith('parentbased_') ? [name.slice(12), true] : [name, false];
  const root =
    base === 'always_on'
      ? new AlwaysOnSampler()
      : base === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(share);
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

/** Logs once when spans cannot be sent, and once when they can be sent again. */
function outcomeLog(logger: Logger) {
  let isFailing = false;
  return {
    failed(error: unknown) {
      if (!isFailing) logger.warn({ cause: describeCause(error) }, 'traces cannot be sent; they are dropped');
      isFailing = true;
    },
    sent() {
      if (isFailing) logger.info('traces are sent again');
      isFailing = false;
    },
  };
}

function reporting(exporter: SpanExporter, outcomes: ReturnType<typeof outcomeLog>): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, result => {
        if (result.error) outcomes.failed(result.error);
        else outcomes.sent();
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
