/**
 * The memory of pictures, for the next ones of their size. A picture of 512 pixels has a megabyte: fresh memory costs
 * page faults, and the garbage collector runs for it.
 */

/** A series compresses one picture while it draws the next; each may have its pixels and its rows. */
const idleMax = 4;
const idle: Int32Array<ArrayBuffer>[] = [];
const lent = new WeakMap<ArrayBufferLike, Int32Array<ArrayBuffer>>();

/** @param length in pixels @returns transparent pixels, the whole of their buffer */
export const takePixels = (length: number): Int32Array<ArrayBuffer> => {
  const at = idle.findIndex((each) => each.length === length);
  const pixels = at < 0 ? new Int32Array(length) : idle.splice(at, 1)[0]!.fill(0);
  lent.set(pixels.buffer, pixels);
  return pixels;
};

/**
 * Takes back memory that nothing reads any more; memory from elsewhere is left alone. Once {@link idleMax} pieces are
 * kept, the oldest is dropped.
 */
export const giveBack = ({ buffer }: Buffer): void => {
  const pixels = lent.get(buffer);
  if (!pixels) return;
  lent.delete(buffer);
  idle.push(pixels);
  if (idle.length > idleMax) idle.shift();
};
