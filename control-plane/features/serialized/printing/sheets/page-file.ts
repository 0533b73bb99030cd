/** Pages as they are stored until the PDF is made: each a number of parts, and each part its length and its bytes. */
import type { Readable } from 'node:stream';
import type { DrawnPage } from './drawing.ts';

const numberOf = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

export const writePage = ({ parts }: Pick<DrawnPage, 'parts'>): Buffer =>
  Buffer.concat([numberOf(parts.length), ...parts.flatMap((part) => [numberOf(part.length), part])]);

/** Takes bytes, exactly as many as are asked for; undefined at the end. @param what names them in an error */
const createTaker = (stream: Readable, what: string) => {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let heldBytes = 0;
  return async (bytes: number): Promise<Buffer | undefined> => {
    while (heldBytes < bytes) {
      const { done, value } = await chunks.next();
      if (done && heldBytes === 0) return undefined;
      if (done) throw new Error(`${what} ends within a page`);
      held.push(value);
      heldBytes += value.length;
    }
    const all = held.length === 1 ? held[0]! : Buffer.concat(held);
    held = [all.subarray(bytes)];
    heldBytes -= bytes;
    return all.subarray(0, bytes);
  };
};

/** @throws {Error} where the file ends within a page */
export async function* readPages(stream: Readable, what: string): AsyncGenerator<Buffer[]> {
  const take = createTaker(stream, what);
  const need = async (bytes: number): Promise<Buffer> => {
    const taken = await take(bytes);
    if (!taken) throw new Error(`${what} ends within a page`);
    return taken;
  };
  for (let count = await take(4); count; count = await take(4)) {
    const parts: Buffer[] = [];
    for (let part = count.readUInt32LE(); part > 0; part--) {
      const length = (await need(4)).readUInt32LE();
      parts.push(await need(length));
    }
    yield parts;
  }
}
