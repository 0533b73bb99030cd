/** Limits the streamed responses in progress: per workspace, and in all. */
import { ClientError } from '#shared/errors.ts';

/** Why a streamed response is refused. */
export const streamRefusals = ['owner_full', 'all_full'] as const;
export type StreamRefusal = (typeof streamRefusals)[number];

/** Retry-After of a refusal, in seconds. */
const retryAfterSeconds = 5;

export interface StreamPlacesOptions {
  /** Streams of one workspace, or of one address without a key. */
  ownerMax: number;
  /** Streams of this process. */
  max: number;
  onRefused(why: StreamRefusal): void;
}

export interface StreamPlaces {
  /**
   * @returns gives the place back
   * @throws {ClientError} RATE_LIMITED if the owner has no places left, UNAVAILABLE if all are taken
   */
  take(owner: string): () => void;
  taken(): number;
}

export const createStreamPlaces = ({ ownerMax, max, onRefused }: StreamPlacesOptions): StreamPlaces => {
  const takenBy = new Map<string, number>();
  let taken = 0;

  const refusalFor = (owner: string): StreamRefusal | undefined => {
    if ((takenBy.get(owner) ?? 0) >= ownerMax) return 'owner_full';
    return taken >= max ? 'all_full' : undefined;
  };

  const free = (owner: string): void => {
    const rest = takenBy.get(owner)! - 1;
    if (rest === 0) takenBy.delete(owner);
    else takenBy.set(owner, rest);
    taken--;
  };

  return {
    take(owner) {
      const why = refusalFor(owner);
      if (why) {
        onRefused(why);
        throw why === 'owner_full' ? ownerFull(ownerMax) : allFull();
      }
      takenBy.set(owner, (takenBy.get(owner) ?? 0) + 1);
      taken++;
      return () => free(owner);
    },
    taken: () => taken,
  };
};

const ownerFull = (ownerMax: number): ClientError =>
  new ClientError(
    'RATE_LIMITED',
    `More than ${ownerMax} downloads at once are not allowed; wait until one of yours has ended`,
    { retryAfterSeconds },
  );

const allFull = (): ClientError =>
  new ClientError('UNAVAILABLE', 'Too many downloads are under way; try again', { retryAfterSeconds });
