/** One million codes held in memory: each is written to Redis and scanned, then the process is looked at. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../bench/context.ts';
import { holdCodes } from '../../bench/hold-codes.ts';
import { newIds } from '../../load/traffic.ts';
import { residentBytesOf } from '../../measure/processes.ts';

export interface MillionResult {
  codes: number;
  residentBytes: number;
  peakBytes: number;
}

/** Ids are made, written and forgotten in parts, so that this process stays small. */
const partSize = 100_000;

export const measureMillion = async (context: Context): Promise<MillionResult> => {
  const total = context.quick ? partSize : 1_000_000;
  const redirector = await context.start({
    name: 'million',
    environment: { REDIRECTOR_CODES_MAX: '1000000' },
  });
  try {
    for (let done = 0; done < total; done += partSize) {
      await holdCodes(context.environment, redirector, newIds(context.environment.codeIds, partSize));
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
