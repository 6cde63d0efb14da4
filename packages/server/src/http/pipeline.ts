import type { IncomingHttpHeaders } from 'node:http';
import {
  type Api,
  ApiError,
  type Credential,
  bodyLimitOf,
  isGuardedWrite,
  type Operation,
} from '@kontor/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { anonymous, type Caller, checkFreshness, scopeOf } from '../auth/caller.ts';
import { type KnownRejection, RejectedError, type UnknownRejection } from '../auth/rejection.ts';
import { idOfSecret } from '../auth/secrets.ts';
import { checkList } from '../query/check.ts';
import { type Telemetry, report, send, sendFile } from './response/respond.ts';
import { Disconnected, readBody } from './request/body.ts';
import type { BodyMemory } from './limits/body-budget.ts';
import { type BatchContract, compileBatch } from './request/batch.ts';
import { type BodyContract, compileBody } from './request/body-contract.ts';
import type { AddressOf } from './request/client-address.ts';
import { reportRejection } from './response/rejection.ts';
import {
  checkAccept,
  checkHeaders,
  checkJsonType,
  checkProtocol,
  checkSite,
  checkUploadType,
  credentialIn,
  selectedTenant,
} from './request/headers.ts';
import { type RequestContext, RequestTime, acceptRequestId, begin } from './request-context.ts';
import { failureAnswer } from './response/failure.ts';
import { parseJsonObject } from './request/json.ts';
import { parseUpload } from './request/multipart.ts';
import {
  type PathContract,
  type QueryContract,
  compilePath,
  compileQuery,
  queryOf,
} from './request/parameters.ts';
import type { Quota } from './limits/quota.ts';
import type { RequestLimits } from './limits/request-limits.ts';
import type { Limiter } from '../lib/limiter.ts';
import type { Answer, Call, Route } from './route.ts';
import {
  type OrganizationExists,
  type TenantExists,
  checkOrganization,
  checkTenant,
} from './request/tenant.ts';
import type { UnknownRoute } from './unknown-route.ts';

/** What the stages ask of the rest of the service. */
export interface PipelineParts extends Telemetry {
  readonly api: Api;
  /** Where people reach the pages of an API with a cookie, which is known once the service listens. */
  readonly publicUrl?: () => string;
  /** The caller of a credential that came from an address; why a known one is rejected; null for one that is missing or unknown. */
  authenticate(credential: string | undefined, address: string): Promise<Caller | KnownRejection | null>;
  /** Where a request comes from: the caller, or what stands in front of the service and is not trusted. */
  addressOf: AddressOf;
  tenantExists: TenantExists;
  organizationExists: OrganizationExists;
  unknownRoute: UnknownRoute;
  /** Null: the API has no quotas. */
  readonly quota: Quota | null;
  /** Those of the port. */
  readonly limits: RequestLimits;
  /** Milliseconds that a request may take once it is there, and more where it goes to the file store. */
  readonly timeouts: { readonly request: number; readonly files: number };
}

/** A route with its contract compiled, once. */
interface CompiledRoute extends Route {
  readonly checkPath: PathContract;
  readonly checkQuery: QueryContract;
  readonly checkBody: BodyContract | null;
  readonly readBatch: BatchContract | null;
  /** The most bytes of its body. */
  readonly bodyLimit: number;
  /** Of an upload or a batch. */
  readonly limiter: Limiter | null;
  /** The media types of the files that it answers with; null: it answers with JSON. */
  readonly files: readonly string[] | null;
}

type PathParameters = Readonly<Record<string, string>>;

/**
 * The request handler of an operation. Every request takes the same path, from top to bottom of this file:
 *
 *     request id → route → authenticate → quota → contract → tenant → handler → serialize
 *
 * {@link serve} surrounds all of it: it sends the answer, and maps whatever is thrown to an error.
 */
export function operationHandler(route: Route, parts: PipelineParts) {
  const { operation } = route;
  const { success } = operation;
  const compiled: CompiledRoute = {
    operation,
    operationId: route.operationId,
    handle: call => route.handle(call),
    checkPath: compilePath(operation.parameters),
    checkQuery: compileQuery(operation.query, operation.fields),
    checkBody: operation.body && !operation.batch ? compileBody(operation.body) : null,
    bodyLimit: bodyLimitOf(operation, parts.api),
    limiter: parts.limits.limiterOf(operation),
    readBatch: operation.body && operation.batch ? compileBatch(operation.body) : null,
    files: success.body === 'file' ? success.mediaTypes : null,
  };
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack();
    const context = begin(request.raw, reply.raw, route.operationId);
    void serve(context, parts, () =>
      runStages(compiled, context, request.params as PathParameters, request.originalUrl, parts),
    );
  };
}

/** Runs the stages, sends what they answer, and maps what they throw to an error. Never rejects. */
export async function serve(
  context: RequestContext,
  telemetry: Telemetry,
  stages: () => Promise<Answer> | Answer,
): Promise<void> {
  try {
    const answer = await stages();
    if ('file' in answer) await sendFile(context, answer, telemetry);
    else send(context, answer, telemetry);
  } catch (error) {
    if (error instanceof Disconnected) report(context, 499, telemetry);
    else {
      send(context, failureAnswer(error, context, telemetry.logger), telemetry);
      // After the answer: it takes the same time whether the credential exists or not.
      reportRejection(error, context, telemetry);
    }
  }
}

/** The stages of a request (specification.md 2.1) up to its answer. */
async function runStages(
  route: CompiledRoute,
  context: RequestContext,
  path: PathParameters,
  target: string,
  parts: PipelineParts,
): Promise<Answer> {
  const receivedAt = new Date();
  const { request } = context;
  const { operation } = route;
  const { api, limits } = parts;
  context.address = parts.addressOf(request);

  // Request id.
  acceptRequestId(context);

  // Route: the router has found the operation.
  checkProtocol(request);
  rejectEmptySegment(path, operation.method, target, parts.unknownRoute);
  if (isGuardedWrite(operation, api)) checkSite(request.headers, parts.publicUrl?.());

  // Authenticate and quota.
  using time = new RequestTime(context, timeLimit(route, parts.timeouts));
  const admitted = operation.authenticated
    ? await time.run(() => admit(context, operation, parts))
    : anonymous;
  const isAwaited = takesBody(route) && !request.complete;

  // Contract: the headers, then body, query and path.
  checkHeaders(request);
  const tenant = operation.authenticated ? selectedTenant(request, api) : null;
  checkAccept(request.headers, route.files);
  if (operation.body) checkJsonType(request);
  const boundary = operation.upload ? checkUploadType(request) : null;
  using memory = takesBody(route) ? limits.bodies.open(admitted.actor.id) : null;
  const content = await readContent(route, context, { path, target, boundary, memory });
  // What is left of a JSON body is small. An upload or a batch keeps its memory until it was handled.
  if (!operation.upload && !operation.batch) memory?.[Symbol.dispose]();
  const asksAgain = isAwaited && operation.authenticated && parts.quota === null;
  const caller = asksAgain ? await time.run(() => admit(context, operation, parts)) : admitted;

  // Tenant, and organization.
  const { organizationId } = content.parameters;
  context.organizationId = organizationId ?? null;
  const scope = scopeOf(caller, organizationId);
  if (tenant !== null) await time.run(() => checkTenant(scope, tenant, parts.tenantExists));
  if (organizationId !== undefined) await time.run(() => checkOrganization(scope, parts.organizationExists));

  // Handler. A dry run stores nothing, so it waits for nothing.
  const dryRun = content.query['dryRun'] === true;
  using _place = dryRun ? null : await route.limiter?.take(caller.actor.id, time.signal);
  context.mayStore = operation.method !== 'GET' && !dryRun;
  // Awaited here: until then an upload or a batch keeps its memory and its place.
  return await time.run(() =>
    route.handle({
      ...content,
      requestId: context.requestId,
      address: context.address,
      userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
      receivedAt,
      cookieOf: cookie => credentialIn(request.headers, { header: 'Cookie', cookie }),
      caller,
      scope,
      tenant,
      dryRun,
      signal: operation.fields ? time.signal : undefined,
      recordRead: operation.fields ? to => void (context.readTo = to) : undefined,
    }),
  );
}

/**
 * The caller, whose quota is charged and who has the permission. Checked again after a body that was still being received: that
 * may take two minutes, in which a session can end. An API with quotas does not, since each check is charged.
 */
async function admit(context: RequestContext, operation: Operation, parts: PipelineParts): Promise<Caller> {
  const caller = await authenticate(context, parts);
  if (parts.quota) await spendQuota(context, caller, parts.quota);
  checkPermission(caller, operation);
  if (operation.needsFreshSignIn) checkFreshness(caller);
  return caller;
}

async function authenticate(
  context: RequestContext,
  { api: { credential }, authenticate }: PipelineParts,
): Promise<Caller> {
  const sent = credentialIn(context.request.headers, credential);
  const caller = await authenticate(sent, context.address);
  if (caller === null || 'reason' in caller) throw rejectedCredential(credential, sent, caller);
  checkExpectedUser(context.request.headers, caller);
  context.caller = caller;
  return caller;
}

/** Sessions end by themselves every day, so one that nobody has is no matter for log and metrics. */
function rejectedCredential(
  { header, rejection: { code, message } }: Credential,
  sent: string | undefined,
  known: KnownRejection | null,
): ApiError {
  if (known === null && header === 'Cookie') return new ApiError(code, message);
  return new RejectedError(code, message, known ?? { reason: faultOf(sent) });
}

function faultOf(sent: string | undefined): UnknownRejection['reason'] {
  if (sent === undefined) return 'missing';
  return idOfSecret(sent) === null ? 'malformed' : 'unknown';
}

/**
 * Rejects a request of a page that shows another user: all tabs of a browser share one cookie, so a sign-in in one tab changes it for all.
 * @throws ApiError INVALID_SESSION
 */
function checkExpectedUser(headers: IncomingHttpHeaders, { actor, session }: Caller): void {
  const expected = headers['x-expected-user'];
  if (session === undefined || expected === undefined || expected === actor.id) return;
  throw new ApiError('INVALID_SESSION', 'Another user has signed in in this browser; load the page again');
}

async function spendQuota(context: RequestContext, { actor, quota }: Caller, spend: Quota): Promise<void> {
  context.quota = await spend.consume(actor.id, quota);
  if (!context.quota.allowed)
    throw new ApiError(
      'RATE_LIMIT_EXCEEDED',
      `The quota of the key is used up; wait ${context.quota.resetSeconds} seconds, as Retry-After says`,
    );
}

function checkPermission({ permissions, session }: Caller, { permission }: Operation): void {
  if (permission === undefined || permissions.has(permission)) return;
  const advice = session ? 'ask who administrates the organization for it' : 'use a token that has it';
  throw new ApiError('PERMISSION_DENIED', `The permission ${permission} is missing; ${advice}`);
}

/**
 * Reads the body and checks query, path and body against the contract, in this order. A function of its own, so that the
 * bytes of a JSON body are gone when it has answered.
 */
async function readContent(
  route: CompiledRoute,
  { request, response }: RequestContext,
  sent: { path: PathParameters; target: string; boundary: string | null; memory: BodyMemory | null },
): Promise<Pick<Call, 'query' | 'parameters' | 'body' | 'list'>> {
  const { fields } = route.operation;
  const { memory } = sent;
  const bytes = memory ? await readBody(request, response, { limit: route.bodyLimit, memory }) : null;
  const query = route.checkQuery(queryOf(sent.target));
  const parameters = route.checkPath(sent.path, sent.target);
  const body = sent.boundary
    ? parseUpload(bytes!, sent.boundary)
    : route.readBatch
      ? await route.readBatch(bytes!)
      : route.checkBody?.(parseJsonObject(bytes!));
  return { query, parameters, body, list: fields ? checkList(query, fields) : null };
}

function takesBody({ operation }: CompiledRoute): boolean {
  return operation.body !== undefined || operation.upload === true;
}

/** `/employees/` is not `/employees/{id}` with an empty identifier, but an unknown route. */
function rejectEmptySegment(
  path: PathParameters,
  method: string,
  target: string,
  unknownRoute: UnknownRoute,
): void {
  for (const name in path) if (path[name] === '') throw unknownRoute(method, target);
}

/** Milliseconds that a request may take; those of the file store come on top where it is used. */
function timeLimit({ operation, files }: CompiledRoute, timeouts: PipelineParts['timeouts']): number {
  return operation.upload || files !== null ? timeouts.request + timeouts.files : timeouts.request;
}
