/** The refusals that an operation's declaration implies, and the meaning of each. */
import { z } from 'zod';
import type { QuotaName } from '#schemas/api/plans.ts';
import type { ErrorCode } from '#shared/errors.ts';
import { bodyLimits, sizeText } from '../http/body.ts';
import type { Operation } from '../http/operation.ts';
import { idempotency } from '../idempotency/request.ts';
import { limitReached } from './limit-docs.ts';

/** For a form, the size of its file: the other fields are small. */
export const bodySizeOf = ({ bodyLimit = bodyLimits.small, multipart, form }: Operation): string =>
  sizeText(multipart?.fileBytesMax ?? form?.bytesMax ?? bodyLimit.file?.bytesMax ?? bodyLimit.bytesMax);

const rowSizeOf = ({ bodyLimit }: Operation): string =>
  bodyLimit?.rowBytesMax === undefined ? '' : `, or a row is larger than ${sizeText(bodyLimit.rowBytesMax)}`;

/** The name of the file field; undefined without a file. */
export const fileFieldOf = ({ bodyLimit, multipart }: Operation): string | undefined =>
  multipart ? 'file' : bodyLimit?.file?.field;

/** Whether browsers get its refusals as pages. */
export const hasErrorPage = (operation: Operation): boolean =>
  operation.access === 'public' && operation.errorPage !== undefined;

/** The quotas that a call of the operation counts against. */
export const quotasOf = (operation: Operation): QuotaName[] => {
  if (operation.access === 'public') return [];
  const { creates, isUncounted } = operation;
  const names: (QuotaName | undefined)[] = [
    isUncounted ? undefined : 'apiCalls',
    creates?.quota,
    creates?.rowQuota,
  ];
  return names.filter((name) => name !== undefined);
};

export const hasParams = ({ path }: Operation): boolean => path.includes(':');

const takesKit = ({ body }: Operation): boolean => body instanceof z.ZodObject && 'brandKitId' in body.shape;

/** Whether it takes an idempotency key. */
export const creates = (operation: Operation): boolean =>
  operation.access !== 'public' && operation.creates !== undefined && !operation.creates.isRepeatable;

/** The wording if reusing an idempotency key for another request is refused with this code. */
const reuseIs = (code: ErrorCode, operation: Operation): string | undefined => {
  if (operation.access === 'public' || !operation.creates || operation.creates.isRepeatable) return undefined;
  const { idempotencyHeader = 'Waymark-Idempotency-Key' } = operation.creates;
  return idempotency[idempotencyHeader].reused === code
    ? 'the idempotency key was used for a different request'
    : undefined;
};

/** The possible causes joined into a sentence; undefined without causes. */
const anyOf = (causes: readonly (string | false | undefined)[]): string | undefined => {
  const text = causes.filter((cause) => typeof cause === 'string').join('; ');
  return text === '' ? undefined : `${text[0]!.toUpperCase()}${text.slice(1)}`;
};

const malformedBody = ({ multipart, form }: Operation): string => {
  if (form) return 'the form has too many fields or is not UTF-8';
  return multipart
    ? 'a required field is missing, a field is unknown, or the body is not a form'
    : 'a required field is missing, a field is unknown or has the wrong JSON type, or the body is not JSON';
};

const malformed = (operation: Operation): string | undefined => {
  const { access, method, query, body } = operation;
  const ignoresUnknown = access === 'public' && method === 'get';
  return anyOf([
    body && malformedBody(operation),
    query && ignoresUnknown && 'a query parameter is repeated or too long',
    query && !ignoresUnknown && 'a query parameter is invalid or unknown',
    !query && !ignoresUnknown && 'a query parameter is sent, but none is accepted',
    creates(operation) && 'the idempotency key is empty or too long',
  ]);
};

const forbidden = (operation: Operation): string | undefined =>
  anyOf([
    hasParams(operation) && 'the resource belongs to another workspace',
    takesKit(operation) && 'the brand kit belongs to another workspace',
    operation.access === 'admin' && 'the key does not have the role owner or admin',
    'the key lacks the permission, or must not be used from this address',
    operation.access !== 'public' &&
      operation.liveOnly &&
      `${operation.liveOnly} are not available in test mode`,
    operation.access !== 'public' && operation.capability && 'the plan does not include the feature',
    'the subscription is cancelled',
  ]);

const limited = (operation: Operation): string | undefined => {
  const { access, docs } = operation;
  const quotas = quotasOf(operation).map((name) => `\`${name}\``);
  return anyOf([
    limitReached(operation),
    docs.furtherLimit,
    access !== 'public' && 'more requests than the plan allows in a second',
    quotas.length > 0 && `the plan’s quota ${quotas.join(' or ')} is used up`,
  ]);
};

/**
 * Statuses implied by the declaration or named by its author, with their meanings.
 * @returns in the order of the statuses
 */
export const refusalsOf = (operation: Operation): [status: number, text: string][] => {
  const keyed = operation.access !== 'public';
  const { body, form, docs } = operation;
  const derived: Record<number, string | false | undefined> = {
    400: malformed(operation),
    401: keyed && 'The API key is missing, invalid or revoked',
    403: keyed && forbidden(operation),
    404: hasParams(operation) && 'The resource does not exist',
    409:
      creates(operation) &&
      anyOf([
        'the first request with this idempotency key is still in progress',
        reuseIs('CONFLICT', operation),
      ]),
    413:
      body &&
      `The ${fileFieldOf(operation) === undefined ? 'body' : 'file'} is larger than ${bodySizeOf(operation)}${rowSizeOf(operation)}`,
    408: form && 'The form did not arrive in time',
    415: form && 'The body is not `application/x-www-form-urlencoded` in UTF-8',
    422:
      body && anyOf(['a field has the right type but an invalid value', reuseIs('UNPROCESSABLE', operation)]),
    429: limited(operation),
    500: 'An unexpected error',
    503:
      (keyed || hasErrorPage(operation)) && 'A dependency is unavailable; retry after `Retry-After` seconds',
    ...docs.refusals,
  };
  return Object.entries(derived).flatMap(([status, text]): [number, string][] =>
    text ? [[Number(status), text]] : [],
  );
};
