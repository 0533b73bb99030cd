/** What each code of an error means, and what its reader does about it. The page of codes in /docs is made of it. */
import type { ErrorCode, FaultCode } from './errors.ts';

export interface ErrorText {
  /** Markdown. */
  cause: string;
  /** Markdown. */
  remedy: string;
}

const quota: ErrorText = {
  cause:
    'A quota of the plan is used up. `capability`, `limit` and `used` in the body say which, and how far.',
  remedy:
    'Move to a larger plan. If the quota is of a day or a month, `Retry-After` says when the next one begins.',
};

export const errorTexts: Readonly<Record<ErrorCode, ErrorText>> = {
  INVALID_REQUEST: {
    cause:
      'The shape of the request is wrong: it is not JSON, a field is missing, unknown or of another type, or a query ' +
      'parameter or header is invalid.',
    remedy: 'Correct what `errors` lists. `param` names the first field.',
  },
  UNAUTHENTICATED: {
    cause: 'The API key is missing, unknown, revoked or expired.',
    remedy: 'Send a valid key as `Authorization: Bearer wm_…`.',
  },
  PASSWORD_REQUIRED: {
    cause: 'The scanned code is protected, and no password was sent.',
    remedy: 'Send the password to the same path, as the form of the page does.',
  },
  PASSWORD_WRONG: {
    cause: 'The password of the scanned code is wrong.',
    remedy: 'Send the right one. After 10 wrong ones in a minute, wait a minute.',
  },
  ALLOTMENT_EXCEEDED: {
    cause: 'More serialized codes are requested than are left.',
    remedy: 'Request at most as many as `fits` says, or buy a block of codes.',
  },
  FORBIDDEN: {
    cause:
      'The resource belongs to another workspace, the operation needs a key with the role owner or admin, or the ' +
      'subscription is cancelled.',
    remedy: 'Use a key of the workspace that owns the resource, or a key with that role.',
  },
  FEATURE_NOT_ON_PLAN: {
    cause:
      'The plan does not include the feature. `capability` names it, and `plans` the plans that have it.',
    remedy: 'Move to one of these plans.',
  },
  PERMISSION_MISSING: {
    cause:
      'The API key has a list of permissions without the one that the operation takes. `permission` names it.',
    remedy: 'Add the permission to the key with `PATCH /api/qr/keys/{keyId}`, or use another key.',
  },
  CODE_SUSPENDED: {
    cause: 'The operator of this service has suspended the scanned code.',
    remedy:
      'Its owner sees the reason in `suspension`, and asks the operator to lift it. An update does not lift it.',
  },
  ADDRESS_NOT_ALLOWED: {
    cause:
      'The API key may be used only from the addresses in its `allowedIps`, and the call came from another one.',
    remedy: 'Call from one of them, or change `allowedIps` with `PATCH /api/qr/keys/{keyId}`.',
  },
  DOMAIN_NOT_ALLOWED: {
    cause:
      'The API key may create codes and aliases only at the hosts in its `domains`. A new code is at the primary domain of ' +
      'the workspace, or at the shared host without one.',
    remedy:
      'Name another domain for the alias, use another key, or change `domains` with `PATCH /api/qr/keys/{keyId}`.',
  },
  NOT_FOUND: {
    cause: 'No resource has this id, nothing is at this path, or a signed link has expired.',
    remedy: 'Check the id and the path. Request a new link.',
  },
  SCAN_NOT_FOUND: {
    cause:
      'No scan of this workspace has the `scanId`: it is invented, of another workspace, or no longer kept, or the scan was ' +
      'made some seconds ago and is not recorded yet.',
    remedy:
      'Send the value that the destination got, as it is. A scan is known some two seconds after it was made, and later while ' +
      'its redirector cannot send it: send the report again.',
  },
  METHOD_NOT_ALLOWED: {
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the header `Allow`.',
  },
  REQUEST_TIMEOUT: {
    cause: 'The body did not arrive in time.',
    remedy: 'Send it again, over a faster connection.',
  },
  CONFLICT: {
    cause:
      'The state of the resource does not allow the call: it is locked or encrypted, is not finished yet, is being ' +
      'changed by another call, or a limit of the workspace is reached (`capability` and `limit` say which).',
    remedy: 'Read the resource, and call again once its state allows it.',
  },
  EXTERNAL_ID_TAKEN: {
    cause: 'Another code of the workspace has this `externalId`.',
    remedy: 'Read the code by its `externalId` and change it, or choose another `externalId`.',
  },
  ALIAS_TAKEN: {
    cause:
      'The alias leads to a code, or led to one before it was deleted: what was printed is never another workspace’s.',
    remedy:
      'Choose another alias; `GET /api/qr/aliases/availability` says which are free. `reassign` gives a deleted one of ' +
      'your own to another code.',
  },
  CODE_NOT_STARTED: {
    cause: 'The scanned code starts later: its `startsAt` is in the future.',
    remedy: 'Scan it later. Its owner can set `beforeStartUrl`, where scans go until then.',
  },
  CODE_INACTIVE: {
    cause: 'The scanned code is switched off.',
    remedy: 'Its owner activates it.',
  },
  CODE_ERASED: {
    cause: 'The scanned code was erased for good: only its id is left.',
    remedy: 'None: an erased code does not come back, and no other code gets its id.',
  },
  CODE_EXPIRED: {
    cause: 'The scanned code has expired.',
    remedy: 'Its owner moves or removes `expiresAt`.',
  },
  SCAN_CAP_REACHED: {
    cause: 'The scanned code has led as many scans as `maxScans` allows.',
    remedy: 'Its owner raises or removes `maxScans`.',
  },
  CURSOR_EXPIRED: {
    cause:
      'The events behind `after` are older than the feed keeps them, or the cursor is ahead of a database that has lost its last changes.',
    remedy: 'Begin again without `after`, or with `now`, and read what you have missed from the resources.',
  },
  PRECONDITION_FAILED: {
    cause: 'The header `If-Match` names another version than the present one.',
    remedy: 'Read the resource again, and repeat the call with its present `ETag`.',
  },
  BODY_TOO_LARGE: {
    cause: 'The body is larger than the operation accepts.',
    remedy: 'Send less, or in several calls. The documentation of the operation states its limit.',
  },
  LIMIT_FILE_SIZE: {
    cause: 'A file is larger than the operation accepts.',
    remedy: 'Send a smaller file. The message states the limit.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The operation does not accept the type, the charset or the coding of the body.',
    remedy: 'Send the type that the message names, in UTF-8, not compressed.',
  },
  RANGE_NOT_SATISFIABLE: {
    cause: 'The file ends before the requested bytes.',
    remedy: 'Request the file again, without `Range`.',
  },
  UNPROCESSABLE: {
    cause: 'The types are right, but a value is not acceptable.',
    remedy: 'Correct what `errors` lists. `param` names the first field.',
  },
  DESTINATION_BLOCKED: {
    cause: 'The operator of this service blocks the destination that `param` names.',
    remedy: 'Use another destination, or ask the operator to remove the entry.',
  },
  RATE_LIMITED: {
    cause: 'There were too many requests in too short a time.',
    remedy: 'Wait for `Retry-After` seconds. `RateLimit` in each response says how many requests are left.',
  },
  PLAN_LIMIT_REACHED: quota,
  INTERNAL: {
    cause: 'We made a mistake.',
    remedy:
      'Report the `requestId` to the operator. Before you repeat a `POST`, check whether it took effect.',
  },
  BAD_GATEWAY: {
    cause: 'Another part of the service sent an answer that cannot be used.',
    remedy: 'Call again later.',
  },
  UNAVAILABLE: {
    cause: 'A part of the service is not available, or too many requests wait for it.',
    remedy: 'Call again after `Retry-After` seconds.',
  },
  GATEWAY_TIMEOUT: {
    cause: 'Another part of the service did not answer in time.',
    remedy: 'Call again later. Before you repeat a `POST`, check whether it took effect.',
  },
};

/** What the `code` of an entry of `errors` means. */
export const faultTexts: Readonly<Record<FaultCode, string>> = {
  required: 'The field is missing.',
  unknown: 'There is no such field, or it is not accepted here.',
  type: 'The value has another JSON type, or is not a whole number.',
  enum: 'The value is none of the accepted ones.',
  format: 'The text is not written as it must be: a URL, a colour, a time.',
  range: 'The number is too small or too large.',
  length: 'The text, list or file is too short or too long.',
  reference: 'The id names nothing that can be used here.',
  value: 'Anything else. The message says what.',
};
