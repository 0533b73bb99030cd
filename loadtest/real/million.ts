/** A redirector that holds a million codes. Two rows ask it: it is made once. */
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../bench/context.ts';
import { holdCodes } from '../bench/hold-codes.ts';
import type { Waymark } from '../bench/waymark.ts';
import { newIds } from '../load/traffic.ts';

export interface Million {
  redirector: Waymark;
  /** The codes' ids, one a line. */
  idsFile: string;
  codes: number;
}

/** Ids are made, written and forgotten in parts, so that this process stays small. */
const partSize = 100_000;
export const millionCodes = 1_000_000;

export const startMillion = async (context: Context): Promise<Million> => {
  const { environment, quick, say } = context;
  const codes = quick ? partSize : millionCodes;
  const redirector = await context.start({
    name: 'million',
    environment: { REDIRECTOR_CODES_MAX: String(millionCodes) },
  });
  try {
    const idsFile = path.join(environment.home, 'ids-million');
    for (let done = 0; done < codes; done += partSize) {
      const ids = newIds(environment.codeIds, partSize);
      await holdCodes(environment, redirector, ids);
      await appendFile(idsFile, `${done === 0 ? '' : '\n'}${ids.join('\n')}`);
      say(`${await redirector.metric('records')} codes held`);
    }
    await redirector.drained();
    return { redirector, idsFile, codes };
  } catch (error) {
    await redirector.stop();
    throw error;
  }
};
