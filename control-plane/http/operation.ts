/**
 * One operation of the API: its method, its path, who may call it, what it accepts, what it does, and how it is
 * described. A feature declares its operations as data; what all of them share happens in perform.ts, in one order.
 */
import type { z } from 'zod';
import type { QuotaName } from '#schemas/api/plans.ts';
import type { Principal } from '../access/authentication.ts';
import type { CallLimitName, IpLimitName } from '../access/ip-limits.ts';
import type { Capability } from '../access/plans.ts';
import type { Create, IdempotencyHeader } from '../creation/creation-request.ts';
import type { Reply } from '../creation/reply.ts';
import type { BodyLimit } from './body.ts';
import type { ErrorPage } from './error-page.ts';
import type { FormLimit } from './form-body.ts';
import type { MultipartLimit } from './multipart.ts';

export type { Reply };

/** A request, without its sender. */
export interface PublicRequest<Query, Body> {
  /** Parts of the path, decoded; nothing else is known of them. */
  params: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
  method: string;
  /** The query as it was sent, without the `?`. */
  search: string;
  /** A request header, or an empty string. */
  header(name: string): string;
  /** A header in which a trusted proxy or a redirector tells of the client; empty from anybody else. */
  proxyHeader(name: string): string;
  /** The domain of a workspace that the request came to, as a redirector says; empty for QR_HOST and BASE_URL. */
  domain(): string;
  /** The id of the workspace whose domain that is, as the redirector knows it; empty where it does not say so. */
  domainOwner(): string;
  /** The client is counted as this: its IPv4 address, or the /64 of its IPv6 address. */
  address(): string;
  /** The client's address in full. */
  clientAddress(): string;
}

export interface OperationRequest<Query, Body> extends PublicRequest<Query, Body> {
  principal: Principal;
  /** By it an operation that `creates` does its work. */
  create: Create;
}

interface Declared<Query, Body> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in `/api/qr/codes/:id`. */
  path: string;
  /** A `z.object`. A parameter that is not in it is refused, but for a public GET: there it is ignored. */
  query?: z.ZodType<Query>;
  /** Without one, no body is read. */
  body?: z.ZodType<Body>;
  /** A request without a body, or with an empty one of whatever type, is one with `{}`. */
  bodyMayBeMissing?: true;
  /** The bound of the body. Default: `bodyLimits.small`. */
  bodyLimit?: BodyLimit;
  /** The operation is given the bytes of the JSON body as they were sent, bounded and not parsed: they are signed. Its `body` is `rawBody`. */
  raw?: true;
  /**
   * Another server, to which the request is passed on, checks the query and the body: nothing of them is looked at here. Its `body` is
   * `rawBody`, the beginning of what was sent: up to a byte more than `bodyLimit` allows.
   */
  unchecked?: true;
  /** The body is a form with a file, of these bounds, in place of JSON. */
  multipart?: MultipartLimit;
  /** The body is what a page's form sends, `application/x-www-form-urlencoded`, of these bounds; its schema is `formPairs`. */
  form?: FormLimit;
  docs: OperationDocs;
}

export interface KeyedOperation<Query = unknown, Body = unknown> extends Declared<Query, Body> {
  /** `admin`: a key with the role owner or admin. Default: any key. */
  access?: 'key' | 'admin';
  /** Calls that one subscription may send, and one address without a valid key. */
  callLimit?: CallLimitName;
  /**
   * Refused if the plan does not have it. Only operations that create or change content declare one: after a downgrade an owner
   * still reads, exports, pauses, deletes and purges what exists.
   */
  capability?: Capability;
  /** Bodies that need no capability, although the others do. */
  isOpenToAllPlans?(body: Body): boolean;
  /**
   * For what creates something: it is counted against the quota (`amount` of it, by default 1), and is done once for each
   * value of the idempotency header, by default `Waymark-Idempotency-Key`. Its work is done by `create`.
   */
  creates?: {
    quota?: QuotaName;
    amount?(body: Body): number;
    /** A further one, which the operation itself counts. */
    rowQuota?: QuotaName;
    idempotencyHeader?: IdempotencyHeader;
  };
  /**
   * Reads and checks a JSON body of more than `bytesMin` bytes in place of the event loop, and may take the bytes away. Its answer is
   * the request's body.
   */
  readLarge?: {
    bytesMin: number;
    read(bytes: Buffer, principal: Principal): Promise<{ body: Body; fingerprint: string }>;
  };
  handle(request: OperationRequest<Query, Body>): Promise<Reply>;
}

export interface PublicOperation<Query = unknown, Body = unknown> extends Declared<Query, Body> {
  access: 'public';
  /** Requests that one address may send. */
  ipLimit?: IpLimitName;
  /** Browsers get this page for every refusal at this path; programs get JSON. */
  errorPage?: ErrorPage;
  handle(request: PublicRequest<Query, Body>): Promise<Reply>;
}

export type Operation = KeyedOperation | PublicOperation;

/** Keeps the types of one operation's query and body together while it is declared. */
export const operation = <Query = undefined, Body = undefined>(
  declared: KeyedOperation<Query, Body>,
): Operation => declared;

/** The same for an operation that needs no key. */
export const publicOperation = <Query = undefined, Body = undefined>(
  declared: PublicOperation<Query, Body>,
): Operation => declared;

/** The operations on the origin of the codes have one tag, whichever plane answers them. */
export const scanTag = 'Scans';

/** The documentation of an operation. */
export interface OperationDocs {
  /** In camel case; clients are generated with it as the name of a function. */
  id: string;
  tag: string;
  summary: string;
  /** Markdown. */
  description: string;
  /** By the parts of the path. */
  params?: Record<string, { description: string; example: string }>;
  /** A `z.object` of headers that are read, beside the idempotency key. */
  headers?: z.ZodObject;
  /** The body in full, where the operation itself checks parts of what its `body` lets through. */
  requestSchema?: z.ZodType;
  /** Bodies to start from, by name. */
  requestExamples?: Record<string, { summary: string; value: unknown }>;
  /** By status. */
  responses: Record<number, ResponseDocs>;
  /** By status: refusals beyond those that follow from the declaration (key, plan, query, body, path). */
  refusals?: Record<number, string>;
  /** By status: bodies of refusals, where the usual example is none of this operation's. */
  refusalExamples?: Record<number, { error: string; code: string; [more: string]: unknown }>;
  /** By status: the schema of a refusal that says more than others do. */
  refusalSchemas?: Record<number, z.ZodType>;
  /** A cause of 429 beyond those that follow from the declaration. */
  furtherLimit?: string;
}

export interface ResponseDocs {
  description: string;
  /** The schema of a JSON body. */
  schema?: z.ZodType;
  example?: unknown;
  /** Where it is not JSON: the types it may have. */
  contentTypes?: readonly string[];
  /** Headers beyond those that every answer has, with what they say. */
  headers?: Record<string, string>;
}
