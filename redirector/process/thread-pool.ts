/**
 * The size of libuv's thread pool, which is read when the pool is first used. A disk that hangs may hold a thread for the write of each of
 * three spools (recording/spool.ts), one for the disk queue and one for the folder of a gone process. One more is left for DNS, other
 * files and compression.
 */
const threads = 6;

process.env.UV_THREADPOOL_SIZE ??= String(threads);
