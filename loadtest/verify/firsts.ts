/** First scans: each one asks Redis three times and PostgreSQL once, and is on the disk before it is answered. */
import { scanAll } from '../claims/scanners.ts';
import type { Context } from './context.ts';

export interface FirstsFigures {
  claims: number;
  perSecond: number;
}

export const measureFirsts = async ({ redirector, takeItems, quick }: Context): Promise<FirstsFigures> => {
  const paths = takeItems(quick ? 200 : 10_000);
  const startMs = performance.now();
  const { answers } = await scanAll({
    origins: [redirector.url],
    paths,
    processes: 1,
    parallel: 64,
    scansPerUnit: 1,
    onProgress: () => undefined,
  });
  const claims = answers.filter(({ first }) => first === 1).length;
  return { claims, perSecond: (claims * 1000) / (performance.now() - startMs) };
};
