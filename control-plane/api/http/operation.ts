/**
 * One operation of the API: its method and path, who may call it, its input, its work and its documentation. A feature
 * declares its operations as data; perform.ts does the shared part, in one order.
 */
import { z } from 'zod';
import type { QuotaName } from '#schemas/api/plans.ts';
import { switchParameter } from '#schemas/api/text.ts';
import type { Principal } from '../access/authentication.ts';
import type { CallLimitName, IpLimitName } from '../access/ip-limits.ts';
import type { OperationPermission } from '../access/permissions.ts';
import type { Capability } from '../access/plans.ts';
import type { Reply } from '../idempotency/reply.ts';
import type { Create, IdempotencyHeader } from '../idempotency/request.ts';
import type { BodyLimit } from './body.ts';
import type { Deprecation } from './deprecation.ts';
import type { ErrorPage } from './error-page.ts';
import type { FormLimit } from './form-body.ts';
import type { MultipartLimit } from './multipart.ts';

export type { Reply };

/** A request, without its sender. */
export interface PublicRequest<Query, Body> {
  /** Path parameters, decoded but not validated. */
  params: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
  method: string;
  /** The query as sent, without the `?`. */
  search: string;
  /** A request header, or an empty string. */
  header(name: string): string;
  /** A header in which a trusted proxy or a redirector describes the client; empty if any other client sends it. */
  proxyHeader(name: string): string;
  /** The workspace domain that the request came to, according to a redirector; empty for QR_HOST and BASE_URL. */
  domain(): string;
  /** The id of the workspace that owns that domain, according to the redirector; empty if it does not say. */
  domainOwner(): string;
  /** The unit by which the client is counted: its IPv4 address, or the /64 of its IPv6 address. */
  address(): string;
  /** The client's full address. */
  clientAddress(): string;
  /** Aborted once the client has disconnected. */
  gone(): AbortSignal;
}

export interface OperationRequest<Query, Body> extends PublicRequest<Query, Body> {
  principal: Principal;
  /** Runs the work of an operation that `creates`. */
  create: Create;
  /** Whether nothing is to be kept of it: see `dryRun` of the declaration. */
  dryRun: boolean;
}

interface Declared<Query, Body> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in `/api/qr/codes/:id`. */
  path: string;
  /** A `z.object`. Unknown parameters are refused, except by a public GET, which ignores them. */
  query?: z.ZodType<Query>;
  /** If absent, no body is read. */
  body?: z.ZodType<Body>;
  /** A missing body, or an empty one of any type, counts as `{}`. */
  bodyMayBeMissing?: true;
  /** The limit of the body. Default: `bodyLimits.small`. */
  bodyLimit?: BodyLimit;
  /**
   * The operation gets the JSON body's bytes as sent, bounded but not parsed, since they are signed. Its `body` is
   * `rawBody`.
   */
  raw?: true;
  /**
   * The request is passed on to another server, which checks the query and the body; nothing is checked here. Its
   * `body` is `rawBody`, the beginning of the sent body: up to one byte more than `bodyLimit` allows.
   */
  unchecked?: true;
  /** The body is a form with a file instead of JSON, with these limits. */
  multipart?: MultipartLimit;
  /** The body is an HTML form, `application/x-www-form-urlencoded`, with these limits; its schema is `formPairs`. */
  form?: FormLimit;
  /** It will be removed: its responses and its documentation say so. */
  deprecated?: Deprecation;
  docs: OperationDocs;
}

export interface KeyedOperation<Query = unknown, Body = unknown> extends Declared<Query, Body> {
  /** `admin`: a key with the role owner or admin. Default: any key. */
  access?: 'key' | 'admin';
  /** What a key with permissions must have. Default: as its path and method say (access/permissions.ts). */
  permission?: OperationPermission;
  /** Refused with a test key, because it would take something that exists once, for all workspaces: what, in the plural. */
  liveOnly?: string;
  /** It leads to calls of other operations, which count: it counts against no quota itself, only against the rate. */
  isUncounted?: true;
  /** Limit of requests for one address, whatever its keys. */
  ipLimit?: IpLimitName;
  /** Limit of calls for one subscription, and for one address without a valid key. */
  callLimit?: CallLimitName;
  /**
   * Refused if the plan lacks it. Only operations that create or change content declare one: after a downgrade an owner
   * can still read, export, pause, delete and purge existing content.
   */
  capability?: Capability;
  /** Bodies that need no capability, although others do. */
  isOpenToAllPlans?(body: Body): boolean;
  /**
   * For operations that create something: it counts against the quota (`amount`, by default 1), and is done once per
   * value of the idempotency header, by default `Waymark-Idempotency-Key`. `create` does its work.
   */
  creates?: {
    quota?: QuotaName;
    amount?(body: Body): number;
    /** A further quota, which the operation counts itself. */
    rowQuota?: QuotaName;
    idempotencyHeader?: IdempotencyHeader;
    /** A repeated call makes nothing new: it takes no idempotency key. */
    isRepeatable?: true;
  };
  /**
   * The URLs of the body, or of what is made of it, are screened: the call is refused if an operator blocks one of them
   * (features/screening/). For what `create` makes, that is a part of its work.
   */
  screened?: true | ((body: Body) => unknown);
  /** Refuses the path of what does not exist before a body is screened that may have thousands of URLs. @throws {ClientError} */
  requireKnown?(principal: Principal, params: Readonly<Record<string, string>>): Promise<unknown>;
  /**
   * Takes `dryRun=true` in the query: every check is made, and nothing is stored, emitted, published or counted against a
   * quota. `create` sees to it; other work runs in `rolledBack` instead of `inTransaction` (platform/db/transaction.ts) and
   * publishes nothing.
   */
  dryRun?: true;
  /**
   * Reads and checks a JSON body of more than `bytesMin` bytes off the event loop, and may transfer the bytes. Its
   * result is the request's body.
   */
  readLarge?: {
    bytesMin: number;
    read(bytes: Buffer, principal: Principal): Promise<{ body: Body; fingerprint: string }>;
  };
  handle(request: OperationRequest<Query, Body>): Promise<Reply>;
}

export interface PublicOperation<Query = unknown, Body = unknown> extends Declared<Query, Body> {
  access: 'public';
  /** Limit of requests for one address. */
  ipLimit?: IpLimitName;
  /** Browsers get this page for every refusal at this path; programs get JSON. */
  errorPage?: ErrorPage;
  handle(request: PublicRequest<Query, Body>): Promise<Reply>;
}

export type Operation = KeyedOperation | PublicOperation;

/** Ties together the types of an operation's query and body in its declaration. */
export const operation = <Query = undefined, Body = undefined>(
  declared: KeyedOperation<Query, Body>,
): Operation =>
  (declared.dryRun ? { ...declared, query: withDryRun(declared.query) } : declared) as Operation;

const withDryRun = (query: z.ZodType = z.object({})): z.ZodType =>
  (query as z.ZodObject).extend({
    dryRun: switchParameter()
      .default(false)
      .describe('Whether only to say what would happen: see “Dry runs” in the introduction.'),
  });

/** Whether a checked query asks for a dry run. */
export const isDryRun = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && 'dryRun' in query && query.dryRun === true;

/** The same for an operation without a key. */
export const publicOperation = <Query = undefined, Body = undefined>(
  declared: PublicOperation<Query, Body>,
): Operation => declared;

/** All operations on the origin of the codes share one tag, whichever plane answers them. */
export const scanTag = 'Scans';

/** The documentation of an operation. */
export interface OperationDocs {
  /** In camel case; generated clients use it as the function's name. */
  id: string;
  tag: string;
  summary: string;
  /** Markdown. */
  description: string;
  /** By path parameter. `lengthMax`: default 64. */
  params?: Record<string, { description: string; example: string; lengthMax?: number }>;
  /** Content types of the body besides `application/json`. */
  requestTypes?: readonly string[];
  /** A `z.object` of headers that are read, as well as the idempotency key. */
  headers?: z.ZodObject;
  /** The full body, if the operation itself checks parts that its `body` lets through. */
  requestSchema?: z.ZodType;
  /** Example bodies, by name. */
  requestExamples?: Record<string, { summary: string; value: unknown }>;
  /** By status. */
  responses: Record<number, ResponseDocs>;
  /** By status: refusals beyond those implied by the declaration (key, plan, query, body, path). */
  refusals?: Record<number, string>;
  /** Error bodies by status, if the default example does not fit. */
  refusalExamples?: Record<number, RefusalExample>;
  /** By status: the schema of a refusal that says more than usual. */
  refusalSchemas?: Record<number, z.ZodType>;
  /** A cause of 429 beyond those implied by the declaration. */
  furtherLimit?: string;
}

/** The beginning of a body: what every refusal has besides is added. */
export interface RefusalExample {
  error: string;
  code: string;
  [more: string]: unknown;
}

export interface ResponseDocs {
  description: string;
  /** The schema of a JSON body. */
  schema?: z.ZodType;
  example?: unknown;
  /** If not JSON: the types it may have. */
  contentTypes?: readonly string[];
  /** Headers that not every response has, with their descriptions. */
  headers?: Record<string, string>;
}
