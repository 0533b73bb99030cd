/** Reads the start of a body, so that a small body is complete before the upstream is asked. */
import type { Readable } from 'node:stream';

export interface ReadLimits {
  bytesMax: number;
  /** If no byte arrives for this long, the body is given up. */
  idleMs: number;
  totalMs: number;
}

export class BodyLateError extends Error {
  override name = 'BodyLateError';
}

/**
 * Reads until the body has ended or more than `bytesMax` have arrived.
 * @param onBytes gets the number of further bytes in memory; may throw
 * @returns the whole body; if it is larger, the stream with the bytes read put back
 * @throws {BodyLateError} if the body does not arrive in time; or the stream's own error
 */
export const readStart = async (
  body: Readable,
  { bytesMax, idleMs, totalMs }: ReadLimits,
  onBytes: (bytes: number) => void,
): Promise<Buffer | Readable> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | Readable>();
  const late = () => reject(new BodyLateError('The body did not come in time'));
  const total = setTimeout(late, totalMs);
  const idle = setTimeout(late, idleMs);
  const onEnd = () => resolve(Buffer.concat(chunks));
  const onClose = () => reject(new Error('the body ended early'));
  const onData = (chunk: Buffer) => {
    idle.refresh();
    chunks.push(chunk);
    bytes += chunk.length;
    try {
      onBytes(chunk.length);
    } catch (error) {
      reject(error);
    }
    if (bytes > bytesMax) resolve(body);
    if (bytes > bytesMax) body.pause();
  };
  body.on('data', onData).on('end', onEnd).on('error', reject).on('close', onClose);
  try {
    return await promise;
  } finally {
    clearTimeout(total);
    clearTimeout(idle);
    body.off('data', onData).off('end', onEnd).off('error', reject).off('close', onClose);
    if (bytes > bytesMax) body.unshift(Buffer.concat(chunks));
  }
};
