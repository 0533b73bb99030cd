/** What becomes of an export that could not go on: it waits for what is away, or has failed. */
import { ClientError } from '#shared/errors.ts';
import { RenderTimeout } from '../../../../rendering/index.ts';
import { StorageFailure } from '../../../../storage/storage.ts';
import { isWaitedFor as isClientErrorWaitedFor } from '../../../bulk/engine/row-ends.ts';
import { PictureRefusal } from './drawing.ts';

export const whyFailed = {
  ours: 'The pictures could not be made, for a reason of ours',
  /** What its owner has to change; undefined where a later try may succeed. */
  of: (error: unknown): string | undefined => (error instanceof PictureRefusal ? error.message : undefined),
};

/** A picture that takes too long does so again. */
const asClientError = (error: unknown): unknown =>
  error instanceof StorageFailure || error instanceof RenderTimeout
    ? new ClientError(error instanceof RenderTimeout ? 'INTERNAL' : 'UNAVAILABLE', error.message, {
        cause: error,
      })
    : error;

/** Whether something is away, or has too much to do, and has been for less than an hour. @param heldUpSince of the job */
export const isWaitedFor = (error: unknown, heldUpSince: Date | null): boolean =>
  isClientErrorWaitedFor(asClientError(error), heldUpSince);
