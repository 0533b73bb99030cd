/** Rejects an uploaded picture. */
import { ClientError } from '#shared/errors.ts';

/** @throws {ClientError} UNPROCESSABLE naming `dataUrl` */
export const refuseImage = (why: string, cause?: unknown): never => {
  throw new ClientError('UNPROCESSABLE', `dataUrl ${why}`, { cause });
};
