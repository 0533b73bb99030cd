/**
 * A program for tests: tries to take the lock named by its argument, prints `held` or `refused`, and keeps the lock
 * until it is killed. With a number of workers, that many cluster workers try instead.
 */
import cluster from 'node:cluster';
import { acquireProcessLock } from '#shared/process-lock.ts';

const [file = '', workers = '0'] = process.argv.slice(2);

if (cluster.isPrimary && Number(workers) > 0) {
  for (let i = 0; i < Number(workers); i++) cluster.fork();
} else {
  const lock = await acquireProcessLock(file);
  console.log(lock ? 'held' : 'refused');
  setInterval(() => undefined, 60_000);
}
