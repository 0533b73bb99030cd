/** Request bodies: JSON in UTF-8, of a bounded size. */
import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ClientError } from '#shared/errors.ts';

export const jsonBodyBytesMax = 25 * 2 ** 20;

/**
 * The parsed body. A missing Content-Type is taken for JSON.
 * @throws {ClientError} BODY_TOO_LARGE, or INVALID_REQUEST for anything that is not JSON
 */
export const readJsonBody = async (request: IncomingMessage): Promise<unknown> => {
  requireJson(request);
  const text = decodeUtf8(await readBytes(request));
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ClientError('INVALID_REQUEST', 'The body is not valid JSON', { cause });
  }
};

const requireJson = ({ headers }: IncomingMessage): void => {
  const type = headers['content-type'] ?? '';
  if (type !== '' && !/^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) {
    throw new ClientError('INVALID_REQUEST', 'Content-Type must be application/json');
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new ClientError('INVALID_REQUEST', 'Content-Type must be JSON in UTF-8');
  }
  if (!['', 'identity'].includes(headers['content-encoding'] ?? '')) {
    throw new ClientError('INVALID_REQUEST', 'Content-Encoding must not be set: send the body as it is');
  }
};

const readBytes = async (request: IncomingMessage): Promise<Buffer> => {
  try {
    return await getRawBody(request, {
      length: request.headers['content-length'] ?? null,
      limit: jsonBodyBytesMax,
    });
  } catch (cause) {
    const type = cause instanceof Error && 'type' in cause ? cause.type : undefined;
    if (type === 'entity.too.large') {
      throw new ClientError('BODY_TOO_LARGE', 'The body must not be larger than 25 MB', { cause });
    }
    // The client went away or sent less than it announced; whatever is answered, it hardly reads it.
    throw new ClientError('INVALID_REQUEST', 'The body could not be read', { cause });
  }
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

const decodeUtf8 = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new ClientError('INVALID_REQUEST', 'The body is not valid UTF-8', { cause });
  }
};
