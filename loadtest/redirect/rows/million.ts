/** One million codes held in memory: each is written to Redis and scanned, then the process is looked at. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../bench/context.ts';
import { startWithMillion } from '../../bench/hold-codes.ts';
import { residentBytesOf } from '../../measure/processes.ts';

export interface MillionResult {
  codes: number;
  residentBytes: number;
  peakBytes: number;
}

export const measureMillion = async (context: Context): Promise<MillionResult> => {
  const redirector = await startWithMillion(context);
  try {
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
