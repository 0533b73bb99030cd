import { expect, test } from 'vitest';
import { createQuietRounds } from '../bench/rounds.ts';
import { medianOf, type ScanRound, toRound } from './rounds.ts';

const latencies = { p50Ms: 0.2, p99Ms: 1.5, p999Ms: 3, maxMs: 4 };

test('CPU counts over the scans that were counted, and others have the rest of the time of the core', () => {
  const result = {
    counted: 2000,
    countedMs: 4000,
    failed: 0,
    failure: '',
    cpu: { serverMs: 100, behindMs: 20, coreBusyMs: 300 },
    latencies,
    sendLag: { ...latencies, p99Ms: 0.1 },
  };
  expect(toRound(result)).toEqual({
    cpuUs: 50,
    behindCpuUs: 10,
    perSecond: 500,
    foreignShare: 0.05,
    p50Ms: 0.2,
    p99Ms: 1.5,
    lagP99Ms: 0.1,
  });
});

const round = (cpuUs: number, p99Ms?: number): ScanRound => ({
  cpuUs,
  behindCpuUs: 1,
  perSecond: 1000,
  foreignShare: 0.02,
  ...(p99Ms === undefined ? {} : { p99Ms }),
});

test('each figure is the median of its rounds, and one that no round has is absent', () => {
  expect(medianOf([round(30, 2), round(10, 4), round(20, 9)])).toEqual({
    ...round(20, 4),
    cpuUsRange: { low: 10, high: 30 },
  });
  expect(medianOf([round(30)])).not.toHaveProperty('p99Ms');
});

test('a disturbed round is measured once more as long as repetitions are left, and the quieter one is kept', async () => {
  const quietRound = createQuietRounds(1);
  const shares = [0.5, 0.02, 0.6, 0.01];
  const measure = async () => ({ foreignShare: shares.shift()! });
  expect(await quietRound(measure)).toEqual({ foreignShare: 0.02 });
  expect(await quietRound(measure)).toEqual({ foreignShare: 0.6 });
  expect(shares).toEqual([0.01]);
});
