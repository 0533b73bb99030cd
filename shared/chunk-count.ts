/**
 * Limits how small the chunks of a body may be. Each chunk costs a server a call and an object: a megabyte in chunks of one byte costs
 * as much as gigabytes in ordinary ones.
 */

/** Chunks are judged in groups of this many. */
const groupChunks = 1_000;
/** The bytes that each chunk of a group must have on average, as the refusal says. */
const averageBytesMin = 64;
/** Half of that is accepted, because the end of a read splits a chunk in two. */
const groupBytesMin = (groupChunks * averageBytesMin) / 2;

export const chunksFault = `A body must not come in chunks this small: ${groupChunks} of them must have ${averageBytesMin} bytes each on average; send larger chunks, or Content-Length`;

/** Counts the chunks of one body. @returns takes the size of each chunk, and says whether they are too small */
export const createChunkCount = (): ((bytes: number) => boolean) => {
  let chunks = 0;
  let bytes = 0;
  return (more) => {
    chunks++;
    bytes += more;
    if (chunks < groupChunks) return false;
    const areTooSmall = bytes < groupBytesMin;
    chunks = 0;
    bytes = 0;
    return areTooSmall;
  };
};
