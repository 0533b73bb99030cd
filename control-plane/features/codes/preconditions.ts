/** Entity tags of codes, and `If-Match` (RFC 9110, 13.1.1): a change of the version that its client has seen, or of none. */
import { isTagList, listsTag } from '#shared/entity-tags.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Code } from './store/code.ts';

/**
 * A strong tag. It changes with everything that the owner can set, but not with `scanCount`, so no answer is 304. The
 * version is that of the record: after a restore of the database no earlier tag comes again.
 */
export const etagOf = ({ recordVersion }: Pick<Code, 'recordVersion'>): string => `"v${recordVersion}"`;

/** @throws {ClientError} PRECONDITION_FAILED if the code is not one that the client expects */
export type Precondition = (code: Code) => void;

export const anyVersion: Precondition = () => {};

/**
 * @param ifMatch the header, or an empty string
 * @throws {ClientError} INVALID_REQUEST if it is malformed
 */
export const preconditionOf = (ifMatch: string): Precondition => {
  if (ifMatch === '') return anyVersion;
  if (!isTagList(ifMatch))
    throw new ClientError(
      'INVALID_REQUEST',
      `If-Match must be * or a list of entity tags such as "v7"; given: ${quoted(ifMatch)}`,
    );
  return (code) => {
    const etag = etagOf(code);
    if (listsTag(ifMatch, etag, false)) return;
    throw new ClientError('PRECONDITION_FAILED', `The code has changed: its ETag is ${etag} now`, {
      headers: { etag },
    });
  };
};
