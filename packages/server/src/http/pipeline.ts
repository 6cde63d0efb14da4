import { ApiError } from '@kontor/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkList } from '../collection/check.ts';
import { type Telemetry, report, send, sendFile } from './answer.ts';
import { bodyLimit, bodySize, Disconnected, readBody } from './body.ts';
import { type BodyContract, compileBody } from './body-contract.ts';
import { type Exchange, begin } from './exchange.ts';
import { failureAnswer } from './failure.ts';
import {
  checkAccept,
  checkHeaders,
  checkJsonType,
  checkProtocol,
  checkUploadType,
  selectedTenant,
} from './headers.ts';
import { parseJsonObject } from './json.ts';
import { parseUpload } from './multipart.ts';
import { checkPath } from './path.ts';
import { type QueryContract, compileQuery } from './query-contract.ts';
import { queryOf } from './query-string.ts';
import type { Quota } from './quota.ts';
import { acceptRequestId } from './request-id.ts';
import { RequestTime } from './request-time.ts';
import { type Permit, Semaphore } from './semaphore.ts';
import type { Answer, AuthenticatedKey, Call, Route } from './route.ts';
import { type TenantExists, checkTenant } from './tenant.ts';
import { unknownRoute } from './unknown-route.ts';

/** What the stages ask of the rest of the service. */
export interface PipelineParts extends Telemetry {
  /** The key of an `X-API-Key` header from an address; null when it is missing, unknown, deactivated or deleted. */
  authenticate(header: string | undefined, address: string): Promise<AuthenticatedKey | null>;
  tenantExists: TenantExists;
  quota: Quota;
  /** Milliseconds that a request may take once it is there, and more where it goes to the file store. */
  readonly timeouts: { readonly request: number; readonly files: number };
}

/** A route with its contract compiled, once. */
interface CompiledRoute extends Route {
  readonly checkQuery: QueryContract;
  readonly checkBody: BodyContract | null;
  /** The media types of the files that it answers with; null: it answers with JSON. */
  readonly files: readonly string[] | null;
}

type PathParameters = Readonly<Record<string, string>>;

/** The request handler of an operation: every request to it takes this way, and only this one. */
export function operationHandler(route: Route, parts: PipelineParts) {
  const { operation } = route;
  const { success } = operation;
  const compiled: CompiledRoute = {
    operation,
    operationId: route.operationId,
    handle: call => route.handle(call),
    checkQuery: compileQuery(operation.query, operation.fields),
    checkBody: operation.body ? compileBody(operation.body) : null,
    files: success.body === 'file' ? success.mediaTypes : null,
  };
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack();
    const exchange = begin(request.raw, reply.raw, route.operationId);
    void serve(exchange, parts, () =>
      answerOf(compiled, exchange, request.params as PathParameters, request.originalUrl, parts),
    );
  };
}

/** Runs the stages of an exchange and sends what they answer or throw. Never rejects. */
export async function serve(
  exchange: Exchange,
  telemetry: Telemetry,
  stages: () => Promise<Answer> | Answer,
): Promise<void> {
  try {
    const answer = await stages();
    if ('file' in answer) await sendFile(exchange, answer, telemetry);
    else send(exchange, answer, telemetry);
  } catch (error) {
    if (error instanceof Disconnected) report(exchange, 499, telemetry);
    else send(exchange, failureAnswer(error, exchange, telemetry.logger), telemetry);
  }
}

/** Bytes of larger bodies, JSON and uploads, that may be in memory at once. */
const bodyMemory = new Semaphore(6 * bodyLimit);

/** Bodies up to this size need no permit: even those of very many connections do not add up to much. */
const smallBody = 64 * 1024;

/** Uploads that are stored at once: each is copied several times on its way. A dry run stores nothing and takes no turn. */
const uploadTurns = new Semaphore(2);

/** The way of a request (specification.md 2.1), from top to bottom. */
async function answerOf(
  route: CompiledRoute,
  exchange: Exchange,
  path: PathParameters,
  target: string,
  parts: PipelineParts,
): Promise<Answer> {
  const receivedAt = new Date();
  const { request } = exchange;
  const { operation } = route;

  acceptRequestId(exchange);
  checkProtocol(request);
  refuseEmptySegment(path, operation.method, target);
  using time = new RequestTime(exchange, timeLimit(route, parts.timeouts));
  const key = operation.authenticated ? await time.run(() => admit(exchange, parts)) : null;

  checkHeaders(request);
  const tenant = key ? selectedTenant(request) : null;
  checkAccept(request.headers, route.files);
  if (route.checkBody) checkJsonType(request);
  const boundary = operation.upload ? checkUploadType(request) : null;
  using memory = await memoryForBody(route, exchange);
  const content = await readContent(route, exchange, { path, target, boundary, memory });
  // What is left of a JSON body is small. An upload keeps its memory, and then its turn, until it is handled.
  if (!operation.upload) memory?.[Symbol.dispose]();

  if (key && tenant !== null) await time.run(() => checkTenant(key.scope, tenant, parts.tenantExists));
  const dryRun = content.query['dryRun'] === true;
  using _turn = operation.upload && !dryRun ? await uploadTurns.take(1, exchange) : null;

  exchange.mayStore = operation.method !== 'GET' && !dryRun;
  // Awaited here: until then an upload keeps its memory and turn.
  return await time.run(signal =>
    route.handle({
      requestId: exchange.requestId,
      receivedAt,
      scope: key ? key.scope : nobody,
      tenant,
      dryRun,
      signal,
      ...content,
    } satisfies Call),
  );
}

/**
 * Reads the body and checks query, path and body against the contract, in this order. A function of its own, so that the
 * bytes of a JSON body are gone when it has answered.
 */
async function readContent(
  route: CompiledRoute,
  { request, response }: Exchange,
  sent: { path: PathParameters; target: string; boundary: string | null; memory: Permit | null },
): Promise<Pick<Call, 'query' | 'parameters' | 'body' | 'list'>> {
  const { fields } = route.operation;
  const bytes = takesBody(route) ? await readBody(request, response, sent.memory?.lost) : null;
  const query = route.checkQuery(queryOf(sent.target));
  const parameters = checkPath(sent.path, sent.target);
  const body = sent.boundary
    ? parseUpload(bytes!, sent.boundary)
    : route.checkBody?.(parseJsonObject(bytes!));
  return { query, parameters, body, list: fields ? checkList(query, fields) : null };
}

function takesBody({ operation }: CompiledRoute): boolean {
  return operation.body !== undefined || operation.upload === true;
}

/** The part of the memory for bodies that one needs; null where it is small, or so large that it is not going to be read. */
async function memoryForBody(route: CompiledRoute, exchange: Exchange): Promise<Permit | null> {
  const size = takesBody(route) ? bodySize(exchange.request) : 0;
  return size <= smallBody || size > bodyLimit ? null : bodyMemory.take(size, exchange);
}

/** The scope of a call without a key; operations that need none do not look at it. */
const nobody = { organizationId: '', keyId: '', grants: [] };

/** `/employees/` is not `/employees/{id}` with an empty identifier, but an unknown route. */
function refuseEmptySegment(path: PathParameters, method: string, target: string): void {
  for (const name in path) if (path[name] === '') throw unknownRoute(method, target);
}

/** Milliseconds that a request may take: where the file store has a part in it, its own time comes on top. */
function timeLimit({ operation, files }: CompiledRoute, timeouts: PipelineParts['timeouts']): number {
  return operation.upload || files !== null ? timeouts.request + timeouts.files : timeouts.request;
}

/** The key of a request, of whose quota one is spent. */
async function admit(exchange: Exchange, parts: PipelineParts): Promise<AuthenticatedKey> {
  const key = await authenticate(exchange, parts);
  await spendQuota(exchange, key, parts.quota);
  return key;
}

async function authenticate(exchange: Exchange, parts: PipelineParts): Promise<AuthenticatedKey> {
  const { headers, socket } = exchange.request;
  const key = await parts.authenticate(
    headers['x-api-key'] as string | undefined,
    socket.remoteAddress ?? '',
  );
  if (key === null)
    throw new ApiError('INVALID_API_KEY', 'Send a valid, active API key in the header X-API-Key');
  exchange.keyId = key.id;
  return key;
}

async function spendQuota(exchange: Exchange, key: AuthenticatedKey, quota: Quota): Promise<void> {
  exchange.quota = await quota.consume(key.id, key.quota);
  if (!exchange.quota.allowed)
    throw new ApiError(
      'RATE_LIMIT_EXCEEDED',
      `The quota of the key is used up; wait ${exchange.quota.resetSeconds} seconds, as Retry-After says`,
    );
}
