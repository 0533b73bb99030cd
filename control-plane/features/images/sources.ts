/** The source that a picture is requested for. */
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { SourcedCode } from './store.ts';

/** @throws {ClientError} INVALID_REQUEST if it is not one of the code's sources */
export const requireSource = ({ sources }: SourcedCode, source: string | undefined): void => {
  if (source === undefined || sources?.some(({ id }) => id === source)) return;
  const ids = sources?.map(({ id }) => id).join(', ') || 'none: the code has no sources';
  throw new ClientError('INVALID_REQUEST', `source must be one of ${ids}; given: ${quoted(source)}`);
};
