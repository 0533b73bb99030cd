/**
 * The body of a refusal:
 *
 *     {error, code, param?, errors?, details?, …, docUrl, requestId}
 *
 * Messages begin with the path of their field. For a refusal that has one message only, `param` is taken from there: of
 * the fields that the operation has, the one with which the message begins.
 */
import { z } from 'zod';
import type { ClientError, ErrorCode, Fault } from '#shared/errors.ts';
import type { OperationNames } from './context.ts';
import type { Operation } from './operation.ts';

/** Headers that the pipeline reads for every operation, as messages write them. */
const commonHeaders = ['Content-Type', 'Content-Encoding', 'If-Match', 'Range'];

/** The names of a body's own fields; an array of rows is refused as `rows[3].name`. */
const namesIn = (schema: z.core.$ZodType | undefined): string[] => {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodArray) return ['rows'];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(namesIn);
  if (schema instanceof z.ZodPipe) return [...namesIn(schema.in), ...namesIn(schema.out)];
  return [];
};

/** Every parameter, header and field of the body of an operation. */
export const namesOf = (operation: Operation): OperationNames => {
  const { query, body, docs, multipart } = operation;
  const idempotencyHeader =
    operation.access !== 'public' && operation.creates && !operation.creates.isRepeatable
      ? (operation.creates.idempotencyHeader ?? 'Waymark-Idempotency-Key')
      : undefined;
  const all = new Set([
    ...[query, body, docs.requestSchema, docs.headers].flatMap(namesIn),
    ...(multipart ? ['file'] : []),
    ...(idempotencyHeader === undefined ? [] : [idempotencyHeader]),
    ...(body ? commonHeaders : commonHeaders.slice(2)),
  ]);
  return { all, parameters: new Set(namesIn(query)) };
};

/** `routingRules[2].condition.country` at the beginning of a message. */
const path = /^([\w-]+)(?:\[\d+\]|\.[\w-]+)*(?=[ :])/;

const paramOf = (message: string, fields: ReadonlySet<string>): string | undefined => {
  const [whole, name] = path.exec(message) ?? [];
  return name !== undefined && fields.has(name) ? whole : undefined;
};

/** A missing field is named by `is required`, and a large file by its code, wherever the message comes from. */
const faultOf = ({ code, fault, message }: ClientError, param: string): Fault['code'] => {
  if (fault !== 'value') return fault;
  if (code === 'LIMIT_FILE_SIZE') return 'length';
  return message.startsWith(`${param} is required`) ? 'required' : 'value';
};

const faultsOf = (error: ClientError, fields: ReadonlySet<string>): readonly Fault[] => {
  const { faults, message } = error;
  if (faults) return faults;
  const param = paramOf(message, fields);
  return param === undefined ? [] : [{ param, code: faultOf(error, param), message }];
};

/** As the API promises, a used-up quota is named in the header and not in the body, which has its own code. */
export const codeOfBody = (code: ErrorCode): string =>
  code === 'PLAN_LIMIT_REACHED' ? 'QUOTA_EXCEEDED' : code;

/** The page of /docs that explains the codes. @param baseUrl the origin of the API */
export const errorDocsUrl = (baseUrl: string): string => `${baseUrl}/docs/errors`;

/** In examples: always the same, so that they are. */
export const exampleRequestId = '3f2b8c1e-5a77-4a5c-9d3e-0c5b7d1f2a90';

export interface Refused {
  requestId: string;
  /** The page of /docs that explains the codes. */
  docsUrl: string;
}

/** The end of every body of a refusal. @param code as the body has it */
export const helpFor = (code: string, { requestId, docsUrl }: Refused) => ({
  docUrl: `${docsUrl}#${code}`,
  requestId,
});

/** @param fields those of the operation, see {@link namesOf}; none before one has matched */
export const refusalBody = (error: ClientError, fields: ReadonlySet<string>, refused: Refused) => {
  const { message, details } = error;
  const code = codeOfBody(error.code);
  const faults = faultsOf(error, fields);
  const param = faults[0]?.param;
  return {
    error: message,
    code,
    ...(param && { param }),
    ...(faults.length > 0 && { errors: faults }),
    ...(details && { details }),
    ...error.fields,
    ...helpFor(code, refused),
  };
};
