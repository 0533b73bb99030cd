/**
 * The size of libuv's thread pool, which is read when the pool is first used. A hanging disk may hold a thread for a
 * write in each of three spools (recording/spool.ts), one for the disk queue and one for the folder of a dead process.
 * One more is left for DNS, other files and compression.
 */
const threads = 6;

process.env.UV_THREADPOOL_SIZE ??= String(threads);
