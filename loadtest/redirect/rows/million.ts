/** One million codes held in memory: each is written to Redis and scanned, then the process is looked at. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../bench/context.ts';
import { recordOf, writeRecords } from '../../bench/environment.ts';
import { connections } from '../../bench/rounds.ts';
import type { Waymark } from '../../bench/waymark.ts';
import { newIds, requestOf, separator } from '../../load/traffic.ts';
import { runWrk } from '../../load/wrk.ts';
import { residentBytesOf } from '../../measure/processes.ts';

export interface MillionResult {
  codes: number;
  residentBytes: number;
  peakBytes: number;
}

/** Ids are made, written and forgotten in parts, so that this process stays small. */
const partSize = 100_000;

const scanPart = async (context: Context, redirector: Waymark, count: number): Promise<void> => {
  const { environment } = context;
  const ids = newIds(environment.codeIds, count);
  await writeRecords(
    environment.redis,
    ids.map((id) => recordOf(id)),
  );
  const requestsFile = path.join(environment.home, 'requests-million');
  await writeFile(
    requestsFile,
    ids.map((id, index) => requestOf(`/r/${id}`, index % 60_000)).join(separator),
  );
  const held = await redirector.metric('records');
  // wrk runs for a time, not a number: again until each has been asked for.
  for (let attempts = 0; attempts < 20 && (await redirector.metric('records')) < held + count; attempts++) {
    await runWrk({ ...redirector, requestsFile, connections, seconds: 3 });
  }
  await rm(requestsFile);
};

export const measureMillion = async (context: Context): Promise<MillionResult> => {
  const total = context.options.quick ? partSize : 1_000_000;
  const redirector = await context.start({
    name: 'million',
    environment: { REDIRECTOR_CODES_MAX: '1000000' },
  });
  try {
    for (let done = 0; done < total; done += partSize) {
      await scanPart(context, redirector, partSize);
      context.say(`${await redirector.metric('records')} codes held`);
    }
    await sleep(3000);
    return {
      codes: await redirector.metric('records'),
      residentBytes: residentBytesOf(redirector.pid),
      peakBytes: residentBytesOf(redirector.pid, 'VmHWM'),
    };
  } finally {
    await redirector.stop();
  }
};
