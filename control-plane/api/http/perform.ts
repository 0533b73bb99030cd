/** The steps of every request, in one order, which is also the order of refusals. */
import { createHash, hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import { canonicalJson } from '#shared/canonical-json.ts';
import { ClientError } from '#shared/errors.ts';
import { limitedAddress } from '#shared/networks.ts';
import { type Actor, actAs, type LoggedAction } from '../../platform/db/actions.ts';
import type { ApiCalls } from '../access/api-calls.ts';
import { type Authenticate, type Principal, requireAdmin } from '../access/authentication.ts';
import type { ClientAddressOf, IsByProxy } from '../access/client-address.ts';
import { callLimits, type IpLimiter } from '../access/ip-limits.ts';
import { permissionOf, requirePermission } from '../access/permissions.ts';
import { requireCapability } from '../access/plans.ts';
import type { RequestRates } from '../access/request-rates.ts';
import type { IdempotentCalls } from '../idempotency/idempotent-calls.ts';
import type { Reply } from '../idempotency/reply.ts';
import type { Create, CreateCall } from '../idempotency/request.ts';
import { bodyLimits, jsonTextOf, parseJsonText, readBeginning, readJsonBytes } from './body.ts';
import { signalOfClose } from './client-gone.ts';
import type { Context, State } from './context.ts';
import { deprecationHeaders } from './deprecation.ts';
import type { ErrorPage, ErrorPageOf } from './error-page.ts';
import { readFormBody, requestsOf } from './form-body.ts';
import type { LargeBodies, LargeBody } from './large-bodies.ts';
import { formBytesMax, readMultipartBody } from './multipart.ts';
import { isDryRun, type KeyedOperation, type Operation, type PublicOperation } from './operation.ts';
import { parseQuery } from './query.ts';
import { applyRate, showRate } from './rate-headers.ts';
import { namesOf } from './refusal-body.ts';
import { send } from './send.ts';
import { inSteps } from './steps.ts';
import type { Streams } from './streams.ts';
import { validateBody, validateQuery } from './validation.ts';

/** Other names for the ids of a resource in paths, looked up before any operation gets them. */
export interface PathIds {
  /** The path of the resource: `/api/qr/codes/:id`. Operations on it and below it take the names. */
  under: string;
  /** Whether it is such a name, not an id. */
  isName(given: string): boolean;
  /** @throws {ClientError} NOT_FOUND */
  resolve(workspaceId: string, name: string): Promise<string>;
}

export interface Guards {
  authenticate: Authenticate;
  clientAddress: ClientAddressOf;
  isByProxy: IsByProxy;
  isByRedirector: IsByProxy;
  ipLimiter: IpLimiter;
  requestRates: RequestRates;
  apiCalls: ApiCalls;
  idempotentCalls: IdempotentCalls;
  largeBodies: LargeBodies;
  streams: Streams;
  pathIds: readonly PathIds[];
  screening: {
    /** @throws {ClientError} DESTINATION_BLOCKED naming the field of a checked body whose URL is blocked */
    requireAllowed(body: unknown, workspaceId: string): Promise<void>;
    /** Whether it asks a service of others, which may take long and be paid for. */
    readonly hasWebRisk: boolean;
  };
}

/** A router that serves the operations. @throws {Error} naming an operation that is deprecated at too short notice */
export const routeOperations = (operations: readonly Operation[], guards: Guards): Router<State> => {
  const router = new Router<State>({ sensitive: true });
  for (const each of operations) {
    const names = namesOf(each);
    const deprecation = each.deprecated && deprecationHeaders(each.docs.id, each.deprecated);
    router[each.method](each.path, (ctx) => {
      if (deprecation) ctx.set(deprecation);
      ctx.state.names = names;
      return perform(each, ctx, ctx.params, guards);
    });
  }
  preferWrittenOut(router);
  return router;
};

/** A literal path is never the value of another path's parameter: `/codes/bulk` is not the code with the id `bulk`. */
const preferWrittenOut = (router: Router<State>): void => {
  const match = router.match.bind(router);
  router.match = (path, method) => {
    const matched = match(path, method);
    const writtenOut = matched.path.filter((layer) => layer.path === path);
    if (writtenOut.length === 0) return matched;
    const pathAndMethod = matched.pathAndMethod.filter((layer) => writtenOut.includes(layer));
    return { path: writtenOut, pathAndMethod, route: pathAndMethod.length > 0 };
  };
};

/** The API and its documentation, in any case: anything requested there is meant for a program. */
const isForPrograms = (path: string): boolean => /^\/(?:api|docs|openapi)(?![\w-])/i.test(path);

/** @param router serves the operations @param unmatched the page of a path that does not exist */
export const errorPagesOf = (
  operations: readonly Operation[],
  router: Router<State>,
  unmatched: ErrorPage,
): ErrorPageOf => {
  const pages = new Map<string, ErrorPage>();
  for (const operation of operations) {
    if (operation.access === 'public' && operation.errorPage) pages.set(operation.path, operation.errorPage);
  }
  return (path, method) => {
    const { path: layers } = router.match(path, method);
    if (layers.length === 0) return isForPrograms(path) ? undefined : unmatched;
    for (const layer of layers) {
      const page = pages.get(String(layer.path));
      if (page) return page;
    }
    return undefined;
  };
};

type Params = Record<string, string>;

const perform = async (operation: Operation, ctx: Context, params: Params, guards: Guards): Promise<void> => {
  ctx.state.route = operation.path;
  if (operation.access === 'public') await performPublic(operation, ctx, params, guards);
  else await performKeyed(operation, ctx, params, guards);
};

/** All clients without a key share the room of one workspace, so that clients with a key find room too. */
const keyless = 'without a key';

const performPublic = async (
  operation: PublicOperation,
  ctx: Context,
  params: Params,
  guards: Guards,
): Promise<void> => {
  const { clientAddress, ipLimiter, largeBodies, streams } = guards;
  if (operation.ipLimit) {
    const count = requestsOf(ctx.req, operation.form);
    applyRate(ctx, await ipLimiter.take(operation.ipLimit, clientAddress(ctx.req), count));
  }
  const address = (): string => limitedAddress(clientAddress(ctx.req));
  const room = operation.body
    ? largeBodies.admit(ctx.req, boundOf(operation), [address(), keyless])
    : undefined;
  const reply = await handlePublic(operation, ctx, params, guards, room).finally(room?.free);
  await send(ctx, streams, address, reply);
};

const handlePublic = async (
  operation: PublicOperation,
  ctx: Context,
  params: Params,
  guards: Guards,
  room: LargeBody | undefined,
): Promise<Reply> => {
  const { request } = await readRequest(operation, ctx, params, guards, room);
  return operation.handle({ ...request });
};

const performKeyed = async (
  operation: KeyedOperation,
  ctx: Context,
  params: Params,
  guards: Guards,
): Promise<void> => {
  const { clientAddress, apiCalls, ipLimiter, streams, largeBodies } = guards;
  const principal = await identify(operation, ctx, guards);
  ctx.state.principal = principal;
  await applyRates(operation, ctx, principal, guards);
  if (!operation.isUncounted) await apiCalls.count(principal);
  if (principal.permissions !== null) requirePermission(principal.permissions, permissionOf(operation));
  if (operation.access === 'admin') requireAdmin(principal);
  if (principal.isTest) applyTestMode(operation, ctx);
  if (!operation.isOpenToAllPlans) requirePlan(operation, principal);
  if (operation.ipLimit) applyRate(ctx, await ipLimiter.take(operation.ipLimit, clientAddress(ctx.req)));
  const owners = [principal.workspaceId, limitedAddress(clientAddress(ctx.req))];
  const room = largeBodies.admit(ctx.req, boundOf(operation), owners);
  // The room is freed before the response is sent, since the body is no longer held: a client may read slowly.
  const reply = await handleKeyed(operation, ctx, params, guards, principal, room).finally(room.free);
  ctx.state.body = undefined;
  const sending = () => send(ctx, streams, () => principal.workspaceId, reply);
  // What is not a read was counted before it was done (applyRates). A HEAD does not count.
  if (operation.method !== 'get' || ctx.method === 'HEAD') await sending();
  else await asCall(operation, ctx, principal, ipLimiter, sending);
};

/** Sends an export, which is a call. A refusal does not count, nor does a failure before the first byte. */
const asCall = async (
  operation: KeyedOperation,
  ctx: Context,
  principal: Principal,
  ipLimiter: IpLimiter,
  sending: () => Promise<void>,
): Promise<void> => {
  await takeCall(operation, ctx, principal, ipLimiter);
  try {
    await sending();
  } catch (error) {
    if (!ctx.res.headersSent) await takeBackCall(operation, ctx, principal, ipLimiter);
    throw error;
  }
};

/** Identifies the caller. Without a valid key it is counted by address, if the operation limits its calls. */
const identify = async (
  { callLimit }: KeyedOperation,
  ctx: Context,
  { authenticate, clientAddress, ipLimiter }: Guards,
): Promise<Principal> => {
  try {
    return await authenticate(ctx.get('authorization'), () => clientAddress(ctx.req));
  } catch (error) {
    if (callLimit && error instanceof ClientError && error.code === 'UNAUTHENTICATED')
      applyRate(ctx, await ipLimiter.take(callLimit, clientAddress(ctx.req)));
    throw error;
  }
};

const applyRates = async (
  operation: KeyedOperation,
  ctx: Context,
  principal: Principal,
  { requestRates, ipLimiter }: Guards,
): Promise<void> => {
  const { callLimit } = operation;
  const rate = await requestRates.take(principal.subscriptionId, principal.terms.requestsPerSecond);
  // The headers have room for one limit: that of the calls is the one that runs out.
  if (!callLimit || !rate.allowed) applyRate(ctx, rate);
  // Only a read may be refused after its work: nothing has happened then.
  if (operation.method !== 'get') await takeCall(operation, ctx, principal, ipLimiter);
};

/** One of the few calls of an operation, if it limits them. */
const takeCall = async (
  { callLimit }: KeyedOperation,
  ctx: Context,
  { subscriptionId, terms }: Principal,
  ipLimiter: IpLimiter,
): Promise<void> => {
  if (callLimit)
    applyRate(ctx, await ipLimiter.takeCall(callLimit, subscriptionId, terms[callLimits[callLimit]]));
};

const takeBackCall = async (
  { callLimit }: KeyedOperation,
  ctx: Context,
  { subscriptionId, terms }: Principal,
  ipLimiter: IpLimiter,
): Promise<void> => {
  if (callLimit)
    showRate(ctx, await ipLimiter.takeBackCall(callLimit, subscriptionId, terms[callLimits[callLimit]]));
};

/** @throws {ClientError} FORBIDDEN */
const applyTestMode = ({ liveOnly }: KeyedOperation, ctx: Context): void => {
  ctx.set('waymark-mode', 'test');
  if (liveOnly)
    throw new ClientError('FORBIDDEN', `${liveOnly} are not available in test mode; use a live key`);
};

const requirePlan = ({ capability }: KeyedOperation, { terms }: Principal): void => {
  if (capability) requireCapability(terms, capability);
};

const boundOf = ({ bodyLimit = bodyLimits.small, multipart, form }: Operation): { bytesMax: number } =>
  multipart ? { bytesMax: formBytesMax(multipart) } : (form ?? bodyLimit);

const handleKeyed = async (
  operation: KeyedOperation,
  ctx: Context,
  params: Params,
  guards: Guards,
  principal: Principal,
  room: LargeBody,
): Promise<Reply> => {
  const { idempotentCalls, pathIds, screening } = guards;
  const { request, fingerprint } = await readRequest(operation, ctx, params, guards, room, (bytes) =>
    readInPlace(operation, principal, bytes),
  );
  const { creates, isOpenToAllPlans } = operation;
  if (isOpenToAllPlans && !isOpenToAllPlans(request.body)) requirePlan(operation, principal);
  const resolved = await resolveParams(operation, params, principal, pathIds);
  await operation.requireKnown?.(principal, resolved);
  const screen = screeningOf(operation, request.body, principal, screening);
  const isScreenedLater = creates !== undefined && !creates.isRepeatable;
  if (!isScreenedLater) await screen?.();
  const idempotencyHeader = creates?.idempotencyHeader ?? 'Waymark-Idempotency-Key';
  const call: CreateCall = {
    principal,
    idempotencyHeader,
    idempotencyKey: creates?.isRepeatable
      ? undefined
      : ctx.req.headers[idempotencyHeader.toLowerCase()]?.toString(),
    // With its query, which may ask for something else: `dryRun`.
    fingerprint: () => `${ctx.method} ${ctx.path}${ctx.search}\n${fingerprint()}`,
    quota: creates?.quota && { name: creates.quota, amount: creates.amount?.(request.body) ?? 1 },
  };
  const dryRun = operation.dryRun === true && isDryRun(request.query);
  const once: Create = (work) =>
    dryRun ? idempotentCalls.rehearse(call, work) : idempotentCalls.perform(call, work);
  const create = screen && isScreenedLater ? screenedCreate(once, screening, screen) : once;
  const handle = () => operation.handle({ ...request, params: resolved, principal, create, dryRun });
  if (operation.method === 'get') return handle();
  const [actor, logged] = actionOf(operation, ctx, resolved, principal);
  // What a dry run does is undone, and not logged.
  return dryRun ? asDryRun(await actAs(actor, undefined, handle)) : actAs(actor, logged, handle);
};

/** What screens a body; undefined if the operation's bodies lead visitors nowhere. */
const screeningOf = (
  { screened }: KeyedOperation,
  body: unknown,
  { workspaceId }: Principal,
  { requireAllowed }: Guards['screening'],
): (() => Promise<void>) | undefined =>
  screened && (() => requireAllowed(screened === true ? body : screened(body), workspaceId));

/**
 * What is created is screened when the key is claimed and the quota taken: a repeated call gets its answer, whatever was blocked
 * since, and a refused one asks no service. Our own lists are looked up before, so that no transaction is open meanwhile.
 */
const screenedCreate =
  (create: Create, { hasWebRisk }: Guards['screening'], screen: () => Promise<void>): Create =>
  async (work) => {
    const [early] = hasWebRisk ? [] : await Promise.allSettled([screen()]);
    return create({
      ...work,
      isLong: hasWebRisk || work.isLong === true,
      async prepare(dryRun) {
        if (hasWebRisk) await screen();
        if (early?.status === 'rejected') throw early.reason;
        return work.prepare(dryRun);
      },
    });
  };

const isUnder = (path: string, under: string): boolean => path === under || path.startsWith(`${under}/`);

const resolveParams = async (
  { path }: Operation,
  params: Params,
  { workspaceId }: Principal,
  pathIds: readonly PathIds[],
): Promise<Params> => {
  for (const { under, isName, resolve } of pathIds) {
    const param = under.slice(under.lastIndexOf(':') + 1);
    const given = params[param];
    if (given === undefined || !isUnder(path, under) || !isName(given)) continue;
    return { ...params, [param]: await resolve(workspaceId, given) };
  }
  return params;
};

/** What would be has neither a URL nor a version. */
const asDryRun = ({ body, headers: { location: _, etag: _tag, ...headers } = {} }: Reply): Reply => ({
  status: 200,
  headers,
  body: { ...body, dryRun: true },
});

/** The action that the audit log has. What it is about is the last id of the path, unless the work creates something. */
const actionOf = (
  { docs }: KeyedOperation,
  { state }: Context,
  params: Params,
  { keyId, workspaceId }: Principal,
): [Actor, LoggedAction] => {
  const resourceId = Object.values(params).at(-1);
  const { requestId } = state;
  return [
    { kind: 'key', keyId },
    { operation: docs.id, requestId, workspaceId, ...(resourceId !== undefined && { resourceId }) },
  ];
};

/** Embedded links, files and probes are requested with parameters that others appended to their URLs on the way. */
const unknownParameters = ({ access, method }: Operation) =>
  access === 'public' && method === 'get' ? 'ignored' : 'refused';

/** @throws {ClientError} INVALID_REQUEST naming a parameter */
const checkedQueryOf = (operation: Operation, ctx: Context): unknown =>
  validateQuery(operation.query, parseQuery(ctx.querystring), unknownParameters(operation));

/** Only redirectors are believed: a proxy in front of the API passes on what clients send. */
const domainHeader = 'waymark-domain';

/** @param header the name, and the id of its workspace; an earlier redirector sends only the name */
const domainOf = (header: () => string) => ({
  domain: () => header().split(' ')[0]!.toLowerCase(),
  domainOwner: () => header().split(' ')[1] ?? '',
});

const readRequest = async (
  operation: Operation,
  ctx: Context,
  params: Params,
  {
    clientAddress,
    isByProxy,
    isByRedirector,
  }: Pick<Guards, 'clientAddress' | 'isByProxy' | 'isByRedirector'>,
  room?: LargeBody,
  readElsewhere: ReadElsewhere = () => undefined,
) => {
  const { body } = operation;
  const checkedQuery = operation.unchecked ? undefined : checkedQueryOf(operation, ctx);
  const bounded = await withOwnBound(operation, params);
  const sent = body && (await readInRoom(() => readBody(ctx, bounded, readElsewhere), room));
  if (operation.access !== 'public' && !sent?.isChecked) ctx.state.body = sent?.value;
  const request = {
    params,
    query: checkedQuery,
    method: ctx.method,
    search: ctx.querystring,
    body: sent?.isChecked ? sent.value : body && validateBody(body, sent?.value),
    header: (name: string) => ctx.get(name),
    proxyHeader: (name: string) => (isByProxy(ctx.req) ? ctx.get(name) : ''),
    ...domainOf(() => (isByRedirector(ctx.req) ? ctx.get(domainHeader) : '')),
    address: () => limitedAddress(clientAddress(ctx.req)),
    clientAddress: () => clientAddress(ctx.req),
    gone: () => signalOfClose(ctx.res),
  };
  return { request, fingerprint: () => sent?.fingerprint() ?? '' };
};

/** With the body limit of this very path, if it has one. */
const withOwnBound = async (operation: Operation, params: Params): Promise<Operation> => {
  const { form } = operation;
  if (!form?.bytesMaxOf) return operation;
  return { ...operation, form: { ...form, bytesMax: await form.bytesMaxOf(params) } };
};

/** Reads a body, taking room for it as it arrives. */
const readInRoom = async <Body>(read: () => Promise<Body>, room?: LargeBody): Promise<Body> => {
  const reading = read();
  return reading.finally(room?.follow());
};

const announcesNoBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
interface SentBody {
  value: unknown;
  /** It has been checked against its schema. */
  isChecked?: true;
  fingerprint(): string;
}

/** @returns undefined if the body is read here */
type ReadElsewhere = (bytes: Buffer) => Promise<SentBody> | undefined;

/** A large body changes content, so the plan is checked before it is read. */
const readInPlace = (
  operation: KeyedOperation,
  principal: Principal,
  bytes: Buffer,
): Promise<SentBody> | undefined => {
  const { readLarge } = operation;
  if (!readLarge || bytes.length <= readLarge.bytesMin) return undefined;
  requirePlan(operation, principal);
  return readLarge
    .read(bytes, principal)
    .then(({ body, fingerprint }) => ({ value: body, isChecked: true, fingerprint: () => fingerprint }));
};

/**
 * Larger bodies are compared by their bytes: sorting the names of a megabyte may block the event loop for half a
 * second.
 */
const sortedBytesMax = 64 * 2 ** 10;

const digestedAtOnce = 2 ** 20;

function* digestSteps(bytes: Buffer): Generator<void, string> {
  const digest = createHash('sha256');
  for (let at = 0; at < bytes.length; at += digestedAtOnce) {
    digest.update(bytes.subarray(at, at + digestedAtOnce));
    yield;
  }
  return digest.digest('base64url');
}

const readBody = async (
  ctx: Context,
  { bodyLimit: limit = bodyLimits.small, multipart, form, raw, unchecked, bodyMayBeMissing }: Operation,
  readElsewhere: ReadElsewhere,
): Promise<SentBody> => {
  if (form) {
    const pairs = await readFormBody(ctx.req, form);
    return { value: pairs, fingerprint: () => canonicalJson([...pairs]) };
  }
  if (multipart) {
    const form = await readMultipartBody(ctx.req, multipart);
    return { value: form, fingerprint: () => canonicalJson(form) };
  }
  if (unchecked) {
    const bytes = await readBeginning(ctx.req, limit.bytesMax + 1);
    return { value: bytes, fingerprint: () => hash('sha256', bytes, 'base64url') };
  }
  if (bodyMayBeMissing && announcesNoBody(ctx.req))
    return { value: {}, fingerprint: () => canonicalJson({}) };
  const bytes = await readJsonBytes(ctx.req, limit);
  const read = await readElsewhere(bytes);
  if (read) return read;
  const text = await jsonTextOf(bytes, limit);
  if (raw) return { value: bytes, fingerprint: () => hash('sha256', bytes, 'base64url') };
  const value = await parseJsonText(text, limit);
  if (bytes.length <= sortedBytesMax) return { value, fingerprint: () => canonicalJson(value) };
  const digest = await inSteps(digestSteps(bytes));
  return { value, fingerprint: () => digest };
};
