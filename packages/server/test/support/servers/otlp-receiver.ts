import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A span as the receiver got it. Identifiers are lower-case hexadecimal. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The identifiers of linked spans. */
  readonly links: readonly string[];
  readonly isError: boolean;
  readonly service: Readonly<Record<string, string | number>>;
}

export interface OtlpReceiver {
  /** The value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** All received bodies, as text. */
  readonly text: string;
  close(): Promise<void>;
}

/** Receives traces over HTTP as a collector does, in protobuf. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  let text = '';
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/x-protobuf')
        return response.writeHead(404).end();
      text += body.toString('latin1');
      spans.push(...readExport(body));
      return response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get text() {
      return text;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The values of a protobuf message by field number: bytes, or a number for varints and fixed ones. */
type Fields = Map<number, (Buffer | number)[]>;

function readFields(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const take = (size: number) => bytes.subarray(at, (at += size));
  while (at < bytes.length) {
    const tag = varint();
    const type = tag & 7;
    const value =
      type === 0
        ? varint()
        : type === 2
          ? take(varint())
          : type === 1
            ? Number(take(8).readBigUInt64LE())
            : take(4).readUInt32LE();
    const number = tag >>> 3;
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const messages = (fields: Fields, number: number) =>
  (fields.get(number) ?? []).map(value => readFields(value as Buffer));
const textOf = (fields: Fields, number: number, encoding: BufferEncoding = 'utf8') =>
  ((fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)).toString(encoding);

/** Reads an `ExportTraceServiceRequest` (opentelemetry-proto, trace/v1). */
function readExport(body: Buffer): ReceivedSpan[] {
  return messages(readFields(body), 1).flatMap(resourceSpans => {
    const service = attributesOf(messages(resourceSpans, 1)[0]!, 1);
    return messages(resourceSpans, 2).flatMap(scopeSpans =>
      messages(scopeSpans, 2).map(span => ({
        traceId: textOf(span, 1, 'hex'),
        spanId: textOf(span, 2, 'hex'),
        parentSpanId: textOf(span, 4, 'hex'),
        name: textOf(span, 5),
        kind: span.get(6)?.[0] as number,
        attributes: attributesOf(span, 9),
        links: messages(span, 13).map(link => textOf(link, 2, 'hex')),
        isError: messages(span, 15).some(status => status.get(3)?.[0] === 2),
        service,
      })),
    );
  });
}

function attributesOf(fields: Fields, number: number): Record<string, string | number> {
  return Object.fromEntries(
    messages(fields, number).map(attribute => {
      const value = messages(attribute, 2)[0]!;
      return [textOf(attribute, 1), (value.get(3)?.[0] as number | undefined) ?? textOf(value, 1)];
    }),
  );
}
