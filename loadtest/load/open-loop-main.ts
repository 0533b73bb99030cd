/** The open-loop generator as a process: its options come as one JSON argument, its result goes out as one JSON line. */
import { z } from 'zod';
import { runOpenLoop } from './open-loop.ts';
import { readRequests } from './traffic.ts';

const options = z.object({
  port: z.number(),
  requestsFile: z.string(),
  connections: z.number(),
  ratePerSecond: z.number(),
  seconds: z.number(),
});

const { requestsFile, ...rest } = options.parse(JSON.parse(process.argv[2] ?? ''));
console.log(JSON.stringify(await runOpenLoop({ ...rest, requests: await readRequests(requestsFile) })));
