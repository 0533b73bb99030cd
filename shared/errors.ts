/**
 * Errors that a client is meant to see. A feature throws one; the HTTP edge of its plane looks up the status and
 * answers `{"error": message}`. Anything else that is thrown is a fault of ours: "Internal error" and a request id.
 */

/** Every code a client can meet, with the HTTP status it has. The one table of them. */
export const errorStatus = {
  /** Not JSON, a required field missing, a wrong JSON type, an invalid query or header. */
  INVALID_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  /** The state of the resource does not allow it. */
  CONFLICT: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The type is right and the value is not acceptable. */
  UNPROCESSABLE: 422,
  INTERNAL: 500,
  /** A dependency is unhealthy; a later try may succeed. */
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export class ClientError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly string[] | undefined;

  /**
   * @param code decides the HTTP status, see {@link errorStatus}
   * @param message for the client; names the field where there is one
   * @param options.cause for the operator's log only
   * @param options.details for the client: what else is wrong
   */
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown; details?: readonly string[] }) {
    super(message, options);
    this.name = 'ClientError';
    this.code = code;
    this.details = options?.details;
  }
}
