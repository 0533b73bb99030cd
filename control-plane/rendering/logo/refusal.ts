/** What is wrong with a logo, in the words that its sender reads. */
import { ClientError } from '#shared/errors.ts';

/** @throws {ClientError} UNPROCESSABLE naming `image` */
export const refuseLogo = (why: string, cause?: unknown): never => {
  throw new ClientError('UNPROCESSABLE', `image ${why}`, { cause });
};

/** @throws {ClientError} UNPROCESSABLE naming `image` and what its SVG has that a drawing does not need */
export const refuseSvg = (has: string): never =>
  refuseLogo(`must be a drawing and nothing else, and has ${has}`);
