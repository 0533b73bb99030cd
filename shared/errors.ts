/**
 * Errors for clients. A feature throws one; the HTTP edge of its plane looks up the status and sends the body
 * `{"error": message, "code": …}`. Any other error is our own fault: "Internal error" and a request id. At the end, helpers for
 * any caught error: its message, its code.
 */

/** Every code of an error, with its HTTP status. */
export const errorStatus = {
  /** Not JSON, a required field missing, a wrong JSON type, an invalid query or header. */
  INVALID_REQUEST: 400,
  UNAUTHENTICATED: 401,
  /** A scan of a protected code without its password, or with a wrong one. */
  PASSWORD_REQUIRED: 401,
  PASSWORD_WRONG: 401,
  /** More serialized units are requested than are left. */
  ALLOTMENT_EXCEEDED: 402,
  FORBIDDEN: 403,
  FEATURE_NOT_ON_PLAN: 403,
  /** The API key lacks a permission. */
  PERMISSION_MISSING: 403,
  /** A scan of a code that the operator has suspended. */
  CODE_SUSPENDED: 403,
  /** The API key is not to be used from this address. */
  ADDRESS_NOT_ALLOWED: 403,
  /** The API key is not to make codes or aliases at this host. */
  DOMAIN_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  /** A conversion of a scan that the workspace does not have. */
  SCAN_NOT_FOUND: 404,
  /** A scan of a code before its start. */
  CODE_NOT_STARTED: 404,
  METHOD_NOT_ALLOWED: 405,
  /** The body did not arrive in time. */
  REQUEST_TIMEOUT: 408,
  /** The state of the resource does not allow the operation. */
  CONFLICT: 409,
  /** Another code of the workspace has this externalId. */
  EXTERNAL_ID_TAKEN: 409,
  /** An alias leads to a code, or led to one. */
  ALIAS_TAKEN: 409,
  /** A scan of a code that no longer leads anywhere. */
  CODE_INACTIVE: 410,
  /** A scan of a code that was erased for good. */
  CODE_ERASED: 410,
  CODE_EXPIRED: 410,
  SCAN_CAP_REACHED: 410,
  /** What follows a cursor is no longer kept. */
  CURSOR_EXPIRED: 410,
  /** The file is not the version the client expects. */
  PRECONDITION_FAILED: 412,
  BODY_TOO_LARGE: 413,
  /** A file of a form is too large. */
  LIMIT_FILE_SIZE: 413,
  /** The operation does not accept the body's type, charset or coding. */
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The file ends before the requested bytes. */
  RANGE_NOT_SATISFIABLE: 416,
  /** The type is right but the value is not acceptable. */
  UNPROCESSABLE: 422,
  /** The operator blocks what a field leads to. */
  DESTINATION_BLOCKED: 422,
  /** Too many requests in too short a time. */
  RATE_LIMITED: 429,
  /** A quota of the plan is used up. The header has this name; the body's `code` is QUOTA_EXCEEDED. */
  PLAN_LIMIT_REACHED: 429,
  INTERNAL: 500,
  /** A dependency's answer is unusable. */
  BAD_GATEWAY: 502,
  /** A dependency is unhealthy; a retry may succeed. */
  UNAVAILABLE: 503,
  /** A dependency did not answer in time. */
  GATEWAY_TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/**
 * What is wrong with a field, for programs that mark it. The list is open: a client treats a code that it does not know
 * as `value`.
 */
export const faultCodes = [
  /** It is missing. */
  'required',
  /** There is no such field, or it is not accepted here. */
  'unknown',
  /** Another JSON type, or no whole number. */
  'type',
  /** None of the accepted values. */
  'enum',
  /** Written in another way than it must be: a URL, a colour, an instant. */
  'format',
  /** A number that is too small or too large. */
  'range',
  /** A text, list or file that is too short or too long. */
  'length',
  /** The id of something that does not exist. */
  'reference',
  /** Anything else: the message says what. */
  'value',
] as const;

export type FaultCode = (typeof faultCodes)[number];

/** One thing that is wrong with a request. */
export interface Fault {
  /** The path of the field, such as `routingRules[2].condition.country`; null for the body as a whole. */
  param: string | null;
  code: FaultCode;
  message: string;
}

/** The body of an error for programs, on either plane. */
export const errorBody = (code: ErrorCode, message: string): { error: string; code: ErrorCode } => ({
  error: message,
  code,
});

export interface ClientErrorOptions {
  /** For the operator's log only. */
  cause?: unknown;
  /** Further faults, for the client. */
  details?: readonly string[];
  /** All faults of the request, field by field. If absent, the message tells the only one. */
  faults?: readonly Fault[];
  /** The kind of the only fault, if the message names a field. Default: `value`. */
  fault?: FaultCode;
  /** Further fields of the body, for programs. */
  fields?: Readonly<Record<string, unknown>>;
  /** Headers of the answer; names in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** When a retry may succeed. */
  retryAfterSeconds?: number;
}

export class ClientError extends Error {
  readonly code: ErrorCode;
  readonly details: ClientErrorOptions['details'];
  readonly faults: ClientErrorOptions['faults'];
  readonly fault: FaultCode;
  readonly fields: ClientErrorOptions['fields'];
  readonly headers: ClientErrorOptions['headers'];
  readonly retryAfterSeconds: number | undefined;

  /**
   * @param code decides the HTTP status, see {@link errorStatus}
   * @param message for the client; begins with the path of the field if there is one
   */
  constructor(code: ErrorCode, message: string, options?: ClientErrorOptions) {
    super(message, options);
    this.name = 'ClientError';
    this.code = code;
    this.details = options?.details;
    this.faults = options?.faults;
    this.fault = options?.fault ?? 'value';
    this.fields = options?.fields;
    this.headers = options?.headers;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}

/** The message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether a Node error has one of the codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: readonly string[]): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
