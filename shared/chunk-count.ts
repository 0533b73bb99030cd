/**
 * How small the chunks of a body may be. Each costs a server a call and an object, however small it is: a megabyte of chunks of one
 * byte costs what gigabytes cost otherwise.
 */

/** Chunks that are looked at together, one such group after the other. */
const groupChunks = 1_000;
/** The bytes that each chunk of a group must have on average, as the refusal says. */
const averageBytesMin = 64;
/** Less is taken: where a read of the connection ends, a chunk comes in two. */
const groupBytesMin = (groupChunks * averageBytesMin) / 2;

export const chunksFault = `A body must not come in chunks this small: ${groupChunks} of them must have ${averageBytesMin} bytes each on average; send larger chunks, or Content-Length`;

/** Counts the chunks of one body. @returns told of the size of each; it says whether they are too small */
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
