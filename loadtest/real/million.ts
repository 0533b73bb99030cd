/** A redirector that holds a million codes. Two rows ask it: it is made once. */
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../bench/context.ts';
import { startWithMillion } from '../bench/hold-codes.ts';
import type { Waymark } from '../bench/waymark.ts';

export interface Million {
  redirector: Waymark;
  /** The codes' ids, one a line. */
  idsFile: string;
  codes: number;
}

export const startMillion = async (context: Context): Promise<Million> => {
  const idsFile = path.join(context.environment.home, 'ids-million');
  let codes = 0;
  const redirector = await startWithMillion(context, async (ids) => {
    await appendFile(idsFile, `${codes === 0 ? '' : '\n'}${ids.join('\n')}`);
    codes += ids.length;
  });
  try {
    await redirector.drained();
    return { redirector, idsFile, codes };
  } catch (error) {
    await redirector.stop();
    throw error;
  }
};
