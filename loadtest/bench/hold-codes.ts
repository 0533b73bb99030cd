/** Makes a redirector hold codes in memory: they are written to Redis and scanned. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { newIds, requestOf, separator } from '../load/traffic.ts';
import { runWrk } from '../load/wrk.ts';
import type { Context } from './context.ts';
import { type Environment, recordOf, writeRecords } from './environment.ts';
import { connections } from './rounds.ts';
import type { Waymark } from './waymark.ts';

const attemptsMax = 6;

/** Resolves once the redirector holds as many codes more, or after `attemptsMax` loads of 3, 6, 9, … seconds. */
export const holdCodes = async (
  environment: Environment,
  redirector: Waymark,
  ids: readonly string[],
): Promise<void> => {
  await writeRecords(
    environment.redis,
    ids.map((id) => recordOf(id)),
  );
  const requestsFile = path.join(environment.home, 'requests-held');
  const requests = ids.map((id, index) => requestOf(`/r/${id}`, index % 60_000));
  await writeFile(requestsFile, requests.join(separator));
  const wanted = (await redirector.metric('records')) + ids.length;
  // wrk runs for a time, not a number: again until each has been asked for. It begins with the first code each time, so that each
  // time is longer: a slow machine would never get to the last ones.
  for (let attempt = 0; attempt < attemptsMax && (await redirector.metric('records')) < wanted; attempt++) {
    await runWrk({ ...redirector, requestsFile, connections, seconds: 3 * (attempt + 1) });
  }
  await rm(requestsFile);
};

/** Ids are made, written and forgotten in parts, so that this process stays small. */
const partSize = 100_000;
export const millionCodes = 1_000_000;

/**
 * Starts a redirector that holds a million codes, or a tenth of them in a quick run.
 * @param onPart gets the ids of each part
 */
export const startWithMillion = async (
  { environment, quick, say, start }: Context,
  onPart: (ids: readonly string[]) => Promise<void> = async () => undefined,
): Promise<Waymark> => {
  const redirector = await start({
    name: 'million',
    environment: { REDIRECTOR_CODES_MAX: String(millionCodes) },
  });
  try {
    for (let done = 0; done < (quick ? partSize : millionCodes); done += partSize) {
      const ids = newIds(environment.codeIds, partSize);
      await holdCodes(environment, redirector, ids);
      await onPart(ids);
      say(`${await redirector.metric('records')} codes held`);
    }
    return redirector;
  } catch (error) {
    await redirector.stop();
    throw error;
  }
};
