/** Which refusals an operation can give, and what each means there: what follows from its declaration. */
import { z } from 'zod';
import type { QuotaName } from '#schemas/api/plans.ts';
import { bodyLimits, sizeText } from '../http/body.ts';
import type { Operation } from '../http/operation.ts';

/** Of a form, the size of its file: the fields beside it are small. */
export const bodySizeOf = ({ bodyLimit = bodyLimits.small, multipart }: Operation): string =>
  sizeText(multipart?.fileBytesMax ?? bodyLimit.bytesMax);

/** The quotas that a call of the operation counts against. */
export const quotasOf = (operation: Operation): QuotaName[] => {
  if (operation.access === 'public') return [];
  const { creates } = operation;
  const names: (QuotaName | undefined)[] = ['apiCalls', creates?.quota, creates?.rowQuota];
  return names.filter((name) => name !== undefined);
};

const hasParams = ({ path }: Operation): boolean => path.includes(':');

const takesKit = ({ body }: Operation): boolean => body instanceof z.ZodObject && 'brandKitId' in body.shape;

const creates = (operation: Operation): boolean =>
  operation.access !== 'public' && operation.creates !== undefined;

/** The possible causes, one beside the other, as a sentence; undefined where there are none. */
const anyOf = (causes: readonly (string | false | undefined)[]): string | undefined => {
  const text = causes.filter((cause) => typeof cause === 'string').join('; ');
  return text === '' ? undefined : `${text[0]!.toUpperCase()}${text.slice(1)}`;
};

const malformed = (operation: Operation): string | undefined => {
  const { access, method, query, body, multipart } = operation;
  const ignoresUnknown = access === 'public' && method === 'get';
  return anyOf([
    body &&
      (multipart
        ? 'a required field is missing or a field is not known; the body is no form'
        : 'a required field is missing, has the wrong JSON type or is not known; the body is not JSON'),
    query && ignoresUnknown && 'a query parameter is given twice or is too long',
    query && !ignoresUnknown && 'a query parameter is not valid or not known',
    !query && !ignoresUnknown && 'a query parameter is given, and there is none',
    creates(operation) && 'the idempotency key is empty or too long',
  ]);
};

const forbidden = (operation: Operation): string | undefined =>
  anyOf([
    hasParams(operation) && 'the resource belongs to another workspace',
    takesKit(operation) && 'the brand kit belongs to another workspace',
    operation.access === 'admin' && 'the key has neither the role owner nor admin',
    operation.access !== 'public' && operation.capability && 'the plan does not have the feature',
    'the subscription is cancelled',
  ]);

const limited = (operation: Operation): string => {
  const quotas = quotasOf(operation).map((name) => `\`${name}\``);
  if (quotas.length === 0) return 'More requests than one address may send';
  return `More requests than the plan allows in a second, or its quota ${quotas.join(' or ')} is used up`;
};

/**
 * Statuses that follow from the declaration, with those that the author names, and what each means.
 * @returns in the order of the statuses
 */
export const refusalsOf = (operation: Operation): [status: number, text: string][] => {
  const keyed = operation.access !== 'public';
  const { body, ipLimit, docs } = operation;
  const derived: Record<number, string | false | undefined> = {
    400: malformed(operation),
    401: keyed && 'The API key is missing, invalid or revoked',
    403: keyed && forbidden(operation),
    404: hasParams(operation) && 'There is no such resource',
    409: creates(operation) && 'The first request with this idempotency key is still being performed',
    413: body && `The ${operation.multipart ? 'file' : 'body'} is larger than ${bodySizeOf(operation)}`,
    422:
      body &&
      anyOf([
        'a field has the right type and a value that is not acceptable',
        creates(operation) && 'the idempotency key was used for a different request',
      ]),
    429: (keyed || ipLimit !== undefined) && limited(operation),
    500: 'An unexpected failure',
    503: keyed && 'A dependency is away; try again after `Retry-After` seconds',
    ...docs.refusals,
  };
  return Object.entries(derived).flatMap(([status, text]): [number, string][] =>
    text ? [[Number(status), text]] : [],
  );
};

const examples: Record<number, object> = {
  401: { error: 'The API key is invalid or revoked', code: 'UNAUTHENTICATED' },
  404: { error: "There is no code with the id '7Ab3kQw2Z'", code: 'NOT_FOUND' },
  409: { error: 'An encrypted code cannot be changed', code: 'CONFLICT' },
  412: { error: 'If-Match must name "8q2-v1"; given: "8q2-v0"', code: 'PRECONDITION_FAILED' },
  416: {
    error: "Range must begin before the end of the file, which has 1024 bytes; given: 'bytes=1024-'",
    code: 'RANGE_NOT_SATISFIABLE',
  },
  422: { error: 'name must have at most 120 characters; given: 130', code: 'UNPROCESSABLE' },
  500: { error: 'Internal error', code: 'INTERNAL', requestId: '3f2b8c1e-5a77-4a5c-9d3e-0c5b7d1f2a90' },
  503: { error: 'The service is temporarily unavailable', code: 'UNAVAILABLE' },
};

const malformedExample = ({ access, method, query, body }: Operation): string => {
  if (body) return 'surprise is not a known field';
  const names = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  if (access === 'public' && method === 'get') return `${names[0]} must be given once`;
  return names.length === 0
    ? 'surprise is not a known parameter; none is accepted here'
    : `surprise is not a known parameter; accepted are ${names.join(', ')}`;
};

/** One that the operation can give. */
export const refusalExample = (operation: Operation, status: number): object | undefined => {
  const { access } = operation;
  switch (status) {
    case 400:
      return { error: malformedExample(operation), code: 'INVALID_REQUEST' };
    case 403:
      return hasParams(operation)
        ? { error: "The code with the id '7Ab3kQw2Z' belongs to another workspace", code: 'FORBIDDEN' }
        : { error: 'The subscription of this API key is cancelled', code: 'FORBIDDEN' };
    case 413:
      return operation.multipart
        ? { error: `file must not be larger than ${bodySizeOf(operation)}`, code: 'LIMIT_FILE_SIZE' }
        : { error: `The body must not be larger than ${bodySizeOf(operation)}`, code: 'BODY_TOO_LARGE' };
    case 429:
      return access === 'public'
        ? { error: 'More than 60 requests in a minute; try again in 30 seconds', code: 'RATE_LIMITED' }
        : { error: 'More than 5 requests in a second; try again in a second', code: 'RATE_LIMITED' };
    default:
      return examples[status];
  }
};
