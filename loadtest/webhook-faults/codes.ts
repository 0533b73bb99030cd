/** Codes are created at several control planes, of which any may be away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../bench/workspace.ts';

export interface CodesOptions {
  origins: readonly string[];
  apiKey: string;
  count: number;
  parallel: number;
  /** The least time for all of them. */
  seconds: number;
  /** @param share of the codes that were created; above 1 for the codes that follow */
  onProgress(share: number): void;
  /** Further codes are created until then, at the same rate. */
  isOver(): boolean;
}

const pauseMs = 200;
/** The faults may never be over. */
const sharesMax = 10;
/** Tries for one code: as long as a start of a control plane and of PostgreSQL takes. */
const triesMax = 300;

const body = { data: 'https://example.com/fault', name: 'Fault' };

/** A creation whose answer is lost is made again: there are as many codes as were asked for, or more. */
const createOne = async ({ origins, apiKey }: CodesOptions, n: number): Promise<void> => {
  for (let tries = 0; ; tries++) {
    try {
      await call({ url: origins[(n + tries) % origins.length]!, apiKey }, 'POST', '/api/qr/codes', body);
      return;
    } catch (error) {
      if (tries === triesMax) throw error;
      await sleep(pauseMs);
    }
  }
};

export const createCodes = async (options: CodesOptions): Promise<void> => {
  const { count, parallel, seconds, onProgress, isOver } = options;
  const startMs = performance.now();
  let [next, done] = [0, 0];
  const work = async (): Promise<void> => {
    for (let n = next++; n < count || !isOver(); n = next++) {
      if (n >= count * sharesMax) throw new Error(`the faults are not over after ${n} codes`);
      const dueMs = startMs + (n * seconds * 1_000) / count;
      await sleep(Math.max(0, dueMs - performance.now()));
      await createOne(options, n);
      onProgress(++done / count);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
};
