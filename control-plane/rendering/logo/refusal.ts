/** Refusals of a logo. */
import { ClientError } from '#shared/errors.ts';

/** @throws {ClientError} UNPROCESSABLE naming `image` */
export const refuseLogo = (why: string, cause?: unknown): never => {
  throw new ClientError('UNPROCESSABLE', `image ${why}`, { cause });
};

/** @throws {ClientError} UNPROCESSABLE naming `image` and the part of its SVG that a drawing does not need */
export const refuseSvg = (has: string): never =>
  refuseLogo(`must be a drawing and nothing else, and has ${has}`);
