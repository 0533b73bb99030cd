/** For each refusal, an example that the operation can really give. */
import { z } from 'zod';
import { ClientError, type ErrorCode, errorStatus, type FaultCode } from '#shared/errors.ts';
import { featureNotOnPlan } from '../access/plans.ts';
import type { Operation, RefusalExample } from '../http/operation.ts';
import { codeOfBody, errorDocsUrl, exampleRequestId, namesOf, refusalBody } from '../http/refusal-body.ts';
import { limitReached } from './limit-docs.ts';
import { bodySizeOf, creates, fileFieldOf, hasParams } from './refusal-docs.ts';

const examples: Record<number, RefusalExample> = {
  401: { error: 'The API key is invalid or revoked', code: 'UNAUTHENTICATED' },
  408: { error: 'The form must arrive within 30 seconds', code: 'REQUEST_TIMEOUT' },
  412: { error: 'If-Match must name "8q2-v1"; given: "8q2-v0"', code: 'PRECONDITION_FAILED' },
  415: {
    error: "Content-Type must be application/x-www-form-urlencoded; given: 'application/json'",
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  416: {
    error: "Range must begin before the end of the file, which has 1024 bytes; given: 'bytes=1024-'",
    code: 'RANGE_NOT_SATISFIABLE',
  },
  422: { error: 'name must have at most 120 characters; given: 130', code: 'UNPROCESSABLE' },
  500: { error: 'Internal error', code: 'INTERNAL' },
  503: { error: 'The service is temporarily unavailable', code: 'UNAVAILABLE' },
};

/** What the value of a path parameter is the id of. Without a noun an example would speak of a code. */
export const nouns: Readonly<Record<string, string>> = {
  id: 'code',
  tag: 'tag',
  folderId: 'folder',
  importId: 'import',
  exportId: 'export',
  erasureId: 'erasure',
  eventId: 'event',
  requestId: 'request',
  domainId: 'domain',
  entryId: 'GS1 entry',
  submissionId: 'submission',
  itemId: 'serialized item',
  alias: 'alias',
  page: 'page',
  name: 'file',
  bulkId: 'bulk operation',
  kitId: 'brand kit',
  pageId: 'landing page',
  formId: 'form',
  menuId: 'menu',
  batchId: 'serialized batch',
  jobId: 'serialized job',
  webhookId: 'webhook',
  deliveryId: 'delivery',
  replayId: 'replay',
  keyId: 'API key',
};

/** `code with the id 'nX5cPq7Rk'` */
const resourceOf = ({ docs: { params = {} } }: Operation): string => {
  const [name = 'id', { example } = { example: '7Ab3kQw2Z' }] = Object.entries(params)[0] ?? [];
  return `${nouns[name]} with the id '${example}'`;
};

const malformed = ({ access, method, query, body, form }: Operation): string => {
  if (form) return `The form must have at most ${form.pairsMax} fields`;
  if (body) return 'surprise is not a known field';
  const names = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  if (access === 'public' && method === 'get') return `${names[0]} must be given once`;
  return names.length === 0
    ? 'surprise is not a known parameter; none is accepted here'
    : `surprise is not a known parameter; accepted are ${names.join(', ')}`;
};

const idempotencyHeaderOf = (operation: Operation): string =>
  (operation.access !== 'public' && operation.creates?.idempotencyHeader) || 'Waymark-Idempotency-Key';

const stillPerformed = (operation: Operation): string =>
  `The first request with this ${idempotencyHeaderOf(operation)} is still being performed; try again`;

const limited = (operation: Operation): string => {
  const reached = limitReached(operation);
  return reached
    ? `${reached}; try again in 30 seconds`
    : 'More than 5 requests in a second; try again in a second';
};

const forbidden = (operation: Operation): RefusalExample => {
  if (hasParams(operation))
    return { error: `The ${resourceOf(operation)} belongs to another workspace`, code: 'FORBIDDEN' };
  const capability = operation.access === 'public' ? undefined : operation.capability;
  if (capability === undefined)
    return { error: 'The subscription of this API key is cancelled', code: 'FORBIDDEN' };
  const { message, code, fields } = featureNotOnPlan('starter', capability);
  return { error: message, code, ...fields };
};

/** Examples that the operation does not give itself. */
const derivedExample = (operation: Operation, status: number): RefusalExample | undefined => {
  switch (status) {
    case 400:
      return { error: malformed(operation), code: 'INVALID_REQUEST' };
    case 403:
      return forbidden(operation);
    case 404:
      return { error: `There is no ${resourceOf(operation)}`, code: 'NOT_FOUND' };
    case 409:
      return creates(operation) ? { error: stillPerformed(operation), code: 'CONFLICT' } : undefined;
    case 413:
      return fileFieldOf(operation) !== undefined
        ? {
            error: `${fileFieldOf(operation)} must not be larger than ${bodySizeOf(operation)}`,
            code: 'LIMIT_FILE_SIZE',
          }
        : { error: `The body must not be larger than ${bodySizeOf(operation)}`, code: 'BODY_TOO_LARGE' };
    case 429:
      return { error: limited(operation), code: 'RATE_LIMITED' };
    default:
      return examples[status];
  }
};

/** What is wrong with the field, as validation says it: an example has only its message. */
const faultCodeOf = (message: string): FaultCode => {
  if (/^\S+ is required/.test(message)) return 'required';
  if (/^\S+ is not a known/.test(message)) return 'unknown';
  if (/ must be one of /.test(message)) return 'enum';
  if (/ must have (at most|at least|\d+ to) /.test(message)) return 'length';
  return 'value';
};

const errorCodes = Object.keys(errorStatus) as ErrorCode[];

/** @param baseUrl the origin of the API @returns the whole body, with what every refusal has */
export const refusalExample = (operation: Operation, status: number, baseUrl: string): object | undefined => {
  const example: RefusalExample | undefined =
    operation.docs.refusalExamples?.[status] ?? derivedExample(operation, status);
  if (!example) return undefined;
  const { error, code, ...fields } = example;
  const unknown = /^(\S+) is not a known/.exec(error)?.[1];
  const names = new Set([...namesOf(operation).all, ...(unknown === undefined ? [] : [unknown])]);
  const thrown = errorCodes.find((each) => codeOfBody(each) === code);
  if (thrown === undefined)
    throw new Error(`${operation.docs.id} has an example with the unknown code ${code}`);
  const refusal = new ClientError(thrown, error, { fields, fault: faultCodeOf(error) });
  return refusalBody(refusal, names, { requestId: exampleRequestId, docsUrl: errorDocsUrl(baseUrl) });
};
