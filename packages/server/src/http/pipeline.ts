import { ApiError } from '@kontor/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkList } from '../collection/check.ts';
import { type Surroundings, report, send, sendFile } from './answer.ts';
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
import type { Answer, AuthenticatedKey, Call, Route } from './route.ts';
import { type TenantExists, checkTenant } from './tenant.ts';
import { Room } from './upload-room.ts';

/** What the stages ask of the rest of the service. */
export interface PipelineParts extends Surroundings {
  /** The key of an `X-API-Key` header; null when it is missing, unknown, deactivated or deleted. */
  authenticate(header: string | undefined): Promise<AuthenticatedKey | null>;
  tenantExists: TenantExists;
  quota: Quota;
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
    checkQuery: compileQuery(operation.query),
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
  around: Surroundings,
  stages: () => Promise<Answer> | Answer,
): Promise<void> {
  try {
    const answer = await stages();
    if ('file' in answer) await sendFile(exchange, answer, around);
    else send(exchange, answer, around);
  } catch (error) {
    if (error instanceof Disconnected) report(exchange, 499, around);
    else send(exchange, failureAnswer(error, exchange, around.logger), around);
  }
}

/** Bytes of uploads that may be in memory at once. */
const uploadRoom = new Room(6 * bodyLimit);

/** Uploads that are stored at once: each is copied several times on its way. A dry run stores nothing and takes no turn. */
const uploadTurns = new Room(2);

/** The way of a request (decisions.md section 2), from top to bottom. */
async function answerOf(
  route: CompiledRoute,
  exchange: Exchange,
  path: PathParameters,
  target: string,
  parts: PipelineParts,
): Promise<Answer> {
  const receivedAt = new Date();
  const { request, response } = exchange;
  const { operation } = route;

  acceptRequestId(exchange);
  checkProtocol(request);
  refuseEmptySegment(path);
  const key = operation.authenticated ? await authenticate(exchange, parts) : null;
  if (key) await spendQuota(exchange, key, parts.quota);

  checkHeaders(request);
  const tenant = key ? selectedTenant(request) : null;
  checkAccept(request.headers, route.files);
  if (route.checkBody) checkJsonType(request);
  const boundary = operation.upload ? checkUploadType(request) : null;
  using room = operation.upload ? await uploadRoom.take(bodySize(request), exchange) : null;
  const bytes = route.checkBody || operation.upload ? await readBody(request, response, room?.lost) : null;

  const query = route.checkQuery(queryOf(target));
  const parameters = checkPath(path, target);
  const body = boundary ? parseUpload(bytes!, boundary) : route.checkBody?.(parseJsonObject(bytes!));
  const list = operation.fields ? checkList(query, operation.fields) : null;

  if (key) await checkTenant(key.scope, tenant, parts.tenantExists);
  const dryRun = query['dryRun'] === true;
  using _turn = operation.upload && !dryRun ? await uploadTurns.take(1, exchange) : null;

  // Awaited here: until then an upload keeps its room and turn.
  return await route.handle({
    requestId: exchange.requestId,
    receivedAt,
    scope: key ? key.scope : nobody,
    tenant,
    parameters,
    query,
    body,
    dryRun,
    list,
  } satisfies Call);
}

/** The scope of a call without a key; operations that need none do not look at it. */
const nobody = { organizationId: '', keyId: '', grants: [] };

/** `/employees/` is not `/employees/{id}` with an empty identifier, but an unknown route. */
function refuseEmptySegment(path: PathParameters): void {
  for (const name in path) if (path[name] === '') throw unknownRoute();
}

/** The refusal of a method and path that name no operation. */
export function unknownRoute(): ApiError {
  return new ApiError(
    'NOT_FOUND',
    'There is no such operation; check method and path against /v1/openapi.json',
  );
}

async function authenticate(exchange: Exchange, parts: PipelineParts): Promise<AuthenticatedKey> {
  const key = await parts.authenticate(exchange.request.headers['x-api-key'] as string | undefined);
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
