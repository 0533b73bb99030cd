/** Explains why an attempt failed, in words that the owner of a webhook understands. */
import { forbiddenCode } from '../../../platform/outgoing/safe-fetch.ts';

/** In the order in which they are tried. */
const explanations: readonly (readonly [code: RegExp, text: string])[] = [
  [new RegExp(`^${forbiddenCode}$`), 'the URL does not lead to a public address'],
  [
    /^(ENOTFOUND|ENODATA|EAI_\w+|ESERVFAIL|ETIMEOUT|EREFUSED|EBADNAME|EBADRESP|ECANCELLED)$/,
    'the name of the server could not be resolved',
  ],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNABORTED)$/,
    'the connection was closed before the answer was complete',
  ],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'the server could not be connected to in time'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EINVAL)$/, 'the server could not be reached'],
  [/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH)/, 'TLS failed'],
  [/^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/, 'the answer was not valid HTTP'],
];

/** The code of an error, of its cause, or of the first of several errors. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
};

/** @returns a short sentence without addresses */
export const failureText = (error: unknown): string => {
  const code = codeOf(error);
  const text = explanations.find(([pattern]) => pattern.test(code))?.[1];
  if (text === undefined) return 'the request failed';
  return code === forbiddenCode ? text : `${text} (${code})`;
};
