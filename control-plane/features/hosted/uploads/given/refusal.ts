/** Rejects an uploaded picture. */
import { ClientError } from '#shared/errors.ts';

/** In uploads, the field of the picture. */
const usualField = 'dataUrl';

/** @throws {ClientError} UNPROCESSABLE naming `dataUrl` */
export const refuseImage = (why: string, cause?: unknown): never => {
  throw new ClientError('UNPROCESSABLE', `${usualField} ${why}`, { cause });
};

/**
 * Reads or encodes a picture that came in another field than `dataUrl`.
 * @throws the errors of the work; if one names `dataUrl`, it names the field instead
 */
export const asField = async <Made>(field: string, work: () => Promise<Made>): Promise<Made> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ClientError && error.message.startsWith(`${usualField} `))) throw error;
    const message = field + error.message.slice(usualField.length);
    throw new ClientError(error.code, message, { cause: error });
  }
};
