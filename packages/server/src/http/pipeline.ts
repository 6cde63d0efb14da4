import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  bodyLimitOf,
  hasVersion,
  isGuardedWrite,
  selectsTenant,
  type Operation,
  writeHeaderOf,
} from '@kontor/contract';
import { anonymous, type Caller, scopeOf } from '../auth/caller.ts';
import { type Admission, admit, reportRejection } from './admission.ts';
import type { ClientAddress } from './client-address.ts';
import { runWithCaller, type SessionCaller } from '../db/session-caller.ts';
import { checkList, type ListParameters } from '../query/check.ts';
import { type Telemetry, report } from './telemetry.ts';
import { send, sendFile, sendPage } from './response/respond.ts';
import { announcesBody, Disconnected, readBody } from './request/body.ts';
import { compileBatch } from './request/batch.ts';
import { compileBody } from './request/body-contract.ts';
import {
  checkAccept,
  checkHeaders,
  checkJsonType,
  checkProtocol,
  checkSite,
  checkUploadType,
  credentialIn,
  expectedVersion,
  idempotencyKey,
  selectedTenant,
} from './request/headers.ts';
import { type RequestContext, RequestTime, acceptRequestId, begin } from './request-context.ts';
import { failureAnswer } from './response/failure.ts';
import { parseJsonObject } from './request/json.ts';
import { parseUpload } from './request/multipart.ts';
import { compilePath, compileQuery, queryOf } from './request/parameters.ts';
import type { BodyPlace, RequestLimits } from './limits/request-limits.ts';
import { networkOf } from '../lib/network.ts';
import { inSpan, runInSpan } from '../lib/tracing.ts';
import type { Answer, Call, JsonAnswer, Route, Upload } from './route.ts';
import {
  type OrganizationExists,
  type TenantExists,
  checkOrganization,
  checkTenant,
} from './request/tenant.ts';

export interface PipelineParts extends Admission {
  readonly telemetry: Telemetry;
  /** Address of the portal in a browser, known once the service listens. Only an API with a cookie needs it. */
  readonly publicUrl?: () => string;
  tenantExists: TenantExists;
  organizationExists: OrganizationExists;
  readonly limits: RequestLimits;
  readonly clientAddress: ClientAddress;
  /** Milliseconds that a request may take, and how many are added when it uses the file store. */
  readonly timeouts: { readonly request: number; readonly files: number };
}

type PathParameters = Readonly<Record<string, string>>;

/** A route with all that follows from its operation alone. */
type CompiledRoute = ReturnType<typeof compileRoute>;

function compileRoute(route: Route, { api, limits }: Pick<PipelineParts, 'api' | 'limits'>) {
  const { operation } = route;
  const { parameters, query, fields, success } = operation;
  return {
    ...route,
    checkPath: compilePath(parameters),
    checkQuery: compileQuery(query, fields),
    parseBody: compileContent(operation),
    /** Bytes; 0 without a body. */
    bodyLimit: takesBody(operation) ? bodyLimitOf(operation, api) : 0,
    writeHeader: writeHeaderOf(operation, api),
    hasVersion: hasVersion(operation, api),
    ignoresAccents: api.ignoresAccents === true,
    /** Only for uploads and batches. */
    limiter: limits.limiterOf(operation),
    /** Media types of a file response; null for JSON. */
    files: success.body === 'file' ? success.mediaTypes : null,
  };
}

/**
 * The request handler of an operation. Every request passes the same stages, in the order of this file (specification.md 2.1):
 *
 *     request id → route → authenticate → quota → contract → tenant → handler → serialize
 *
 * {@link serve} runs them, sends the answer, and maps errors to answers.
 */
export function operationHandler(route: Route, parts: PipelineParts) {
  const compiled = compileRoute(route, parts);
  return (request: IncomingMessage, response: ServerResponse, path: PathParameters): void => {
    const context = begin(request, response, route.operationId, parts.api.namesFields);
    context.address = parts.clientAddress(request);
    void serve(context, parts.telemetry, () => runStages(compiled, context, path, parts));
  };
}

/** Runs the stages and sends their answer, or the error they throw. Never rejects. */
export function serve(
  context: RequestContext,
  telemetry: Telemetry,
  stages: () => Promise<Answer> | Answer,
): Promise<void> {
  return runInSpan(context.span, () => runWithCaller(context, () => answer(context, telemetry, stages)));
}

async function answer(
  context: RequestContext,
  telemetry: Telemetry,
  stages: () => Promise<Answer> | Answer,
): Promise<void> {
  try {
    const answer = await stages();
    if ('file' in answer) {
      // A download may take hours, and must not go before newer requests of its caller.
      const { organizationId, id } = context.sessionCaller!;
      context.sessionCaller = { organizationId, id };
      await inSpan('send file', () => sendFile(context, answer, telemetry));
    } else if ('page' in answer) sendPage(context, answer, telemetry);
    else send(context, answer, telemetry);
  } catch (error) {
    if (error instanceof Disconnected) report(context, 499, telemetry);
    else {
      send(context, failureAnswer(error, context, telemetry.logger), telemetry);
      // After the answer, so that its timing does not show whether the credential exists.
      reportRejection(error, context, telemetry);
    }
  }
}

async function runStages(
  route: CompiledRoute,
  context: RequestContext,
  path: PathParameters,
  parts: PipelineParts,
): Promise<Answer> {
  const receivedAt = new Date();
  const { request } = context;
  const target = request.url!;
  const { operation } = route;
  const { api, limits } = parts;

  // Request id.
  acceptRequestId(context, api.checksRequestId);

  // Route: the router has already selected the operation.
  checkProtocol(request);
  if (isGuardedWrite(operation, api)) checkSite(request.headers, parts.publicUrl?.());

  // Authenticate and quota.
  using time = new RequestTime(context, timeLimit(route, parts.timeouts));
  const admitted = operation.authenticated
    ? await time.run('authenticate', () => admit(context, operation, parts))
    : anonymous;
  context.sessionCaller = sessionCallerOf(admitted, context, time);
  const hasBody = readsBody(operation, request);
  const isAwaited = hasBody && !request.complete;

  // Contract: first headers, then body, query and path.
  checkHeaders(request, route.writeHeader);
  const version = route.writeHeader === 'If-Match' ? expectedVersion(request) : undefined;
  const key = route.writeHeader === 'Idempotency-Key' ? idempotencyKey(request) : null;
  const tenant = operation.authenticated ? selectedTenant(request, selectsTenant(operation, api)) : null;
  checkAccept(request.headers, route.files);
  if (operation.body && hasBody) checkJsonType(request);
  const boundary = operation.upload ? checkUploadType(request) : null;
  using place = hasBody ? limits.placeOf(admitted.actor.id) : null;
  const { digest, ...content } = await inSpan('contract', () =>
    readContent(route, context, { path, target, boundary, place, tenant, isKeyed: key !== null }),
  );
  // A parsed JSON body is small. An upload or a batch keeps its place until its handler has ended.
  if (!operation.upload && !operation.batch) place?.[Symbol.dispose]();
  const asksAgain = isAwaited && operation.authenticated && parts.quota === null;
  const caller = asksAgain
    ? await time.run('authenticate', () => admit(context, operation, parts))
    : admitted;

  // Tenant and organization.
  const { organizationId } = content.parameters;
  context.organizationId = organizationId ?? null;
  const scope = scopeOf(caller, operation, organizationId);
  if (tenant !== null) await time.run('tenant', () => checkTenant(scope, tenant, parts.tenantExists));
  if (organizationId !== undefined)
    await time.run('tenant', () => checkOrganization(scope, parts.organizationExists));

  // Handler. A dry run stores nothing, so it skips the concurrency limiter.
  const dryRun = content.query['dryRun'] === true;
  using _place = dryRun ? null : await route.limiter?.take(caller.actor.id, time.signal);
  context.mayStore = operation.method !== 'GET' && !operation.changesNothing && !dryRun;
  let isReplayed = false;
  const digests =
    digest === null
      ? null
      : {
          key: sha256(`${caller.actor.id} ${key}`),
          request: digest,
          recordReplay: () => void (isReplayed = true),
        };
  // Awaited here because `using` releases memory and place at the end of this function.
  const answer = await time.run('handler', () =>
    route.handle({
      ...content,
      expectedVersion: version,
      idempotencyKey: digests,
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
  const hasVersion = route.hasVersion && !dryRun;
  return hasVersion || isReplayed ? withHeaders(answer as JsonAnswer, hasVersion, isReplayed) : answer;
}

function withHeaders(answer: JsonAnswer, hasVersion: boolean, isReplayed: boolean): JsonAnswer {
  const headers = {
    ...answer.headers,
    ...(hasVersion && { ETag: entityTagOf(answer.body) }),
    ...(isReplayed && { 'Idempotency-Replayed': 'true' }),
  };
  return { ...answer, headers };
}

const updatedAt = '"updatedAt":';

/** The value of `updatedAt` with its quotation marks, at the end of a document. In a text they would be escaped. */
function entityTagOf(doc: string): string {
  const start = doc.lastIndexOf(updatedAt) + updatedAt.length;
  return doc.slice(start, doc.indexOf('"', start + 1) + 1);
}

/** Anonymous clients share a part of the sessions, which their networks take turns with. A token has access to several organizations. */
function sessionCallerOf(
  { actor, scope }: Caller,
  { address }: RequestContext,
  time: RequestTime,
): SessionCaller {
  const organizationId = 'organizations' in scope ? actor.id : scope.organizationId;
  const id = actor.type === 'anonymous' ? networkOf(address) : actor.id;
  return { organizationId, id, awaited: time };
}

/** Reads the body, then checks query, path and body, in this order. Separate, so that the bytes of a JSON body become garbage at its end. */
async function readContent(
  route: CompiledRoute,
  { request, response }: RequestContext,
  sent: {
    path: PathParameters;
    target: string;
    boundary: string | null;
    place: BodyPlace | null;
    tenant: string | null;
    isKeyed: boolean;
  },
): Promise<Pick<Call, 'query' | 'parameters' | 'body' | 'list'> & { digest: string | null }> {
  const { ignoresAccents } = route;
  const { fields } = route.operation;
  const { place } = sent;
  const bytes = place ? await readBody(request, response, { limit: route.bodyLimit, place }) : null;
  const query = route.checkQuery(queryOf(sent.target));
  const parameters = route.checkPath(sent.path, sent.target);
  const body = await route.parseBody(bytes, sent.boundary);
  return {
    query,
    parameters,
    body,
    list: fields
      ? checkList((route.operation.body ? body : query) as ListParameters, fields, { ignoresAccents })
      : null,
    digest:
      sent.isKeyed && query['dryRun'] !== true
        ? requestDigest([route.operationId, parameters, sent.tenant], bytes!, body)
        : null,
  };
}

/** Both parameters are null for a request without a body, and the boundary for all but uploads. */
type ParseBody = (bytes: Buffer | null, boundary: string | null) => unknown;

function compileContent({ body, batch, upload, uploadTypes, bodyIsOptional }: Operation): ParseBody {
  if (upload) return (bytes, boundary) => parseUpload(bytes!, boundary!, uploadTypes);
  if (body === undefined) return () => undefined;
  if (batch) return compileBatch(body);
  const check = compileBody(body);
  return bytes => check(bodyIsOptional && !bytes?.length ? {} : parseJsonObject(bytes!));
}

/** The body counts as received. A repeated upload may have another boundary, so its digest is that of the file. */
function requestDigest(target: readonly unknown[], bytes: Buffer, body: unknown): string {
  const { bytes: file, fileName, mediaType } = body as Partial<Upload>;
  const isFile = Buffer.isBuffer(file);
  return sha256(JSON.stringify([...target, sha256(isFile ? file : bytes), isFile && [fileName, mediaType]]));
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function takesBody({ body, upload }: Operation): boolean {
  return body !== undefined || upload === true;
}

/** A write reads every body that is sent, so that one without a contract is rejected. In a GET it has no meaning (RFC 9110 section 9.3.1). */
function readsBody(operation: Operation, request: IncomingMessage): boolean {
  if (takesBody(operation) && !operation.bodyIsOptional) return true;
  return operation.method !== 'GET' && announcesBody(request);
}

function timeLimit({ operation, files }: CompiledRoute, timeouts: PipelineParts['timeouts']): number {
  return operation.upload || files !== null ? timeouts.request + timeouts.files : timeouts.request;
}
