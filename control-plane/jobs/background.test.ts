import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createBackground } from './background.ts';

/** Work whose runs end on request. */
const createSteps = () => {
  const ends: PromiseWithResolvers<void>[] = [];
  return {
    ends,
    work: () => {
      const end = Promise.withResolvers<void>();
      ends.push(end);
      return end.promise;
    },
  };
};

const silent = () => createBackground(pino({ level: 'silent' }));

test('work that fails again and again for the same reason is a line of the log, not one each time', async () => {
  const lines: string[] = [];
  const background = createBackground(pino({}, { write: (line: string) => void lines.push(line) }));
  for (let n = 0; n < 20; n++) background.start('publishing', Promise.reject(new Error('no answer')));
  background.start('publishing', Promise.reject(new Error('another reason')));
  await background.close();
  expect(lines.map((line) => JSON.parse(line).err.message)).toEqual(['no answer', 'another reason']);
});

test('work that is asked for any number of times while it runs runs once more, and other work beside it', async () => {
  const background = silent();
  const [sweep, other] = [createSteps(), createSteps()];
  for (let n = 0; n < 5; n++) background.startOnce('sweep', sweep.work);
  background.startOnce('other', other.work);
  expect([sweep.ends.length, other.ends.length]).toEqual([1, 1]);
  sweep.ends[0]!.resolve();
  await expect.poll(() => sweep.ends.length).toBe(2);
  const closed = background.close();
  sweep.ends[1]!.resolve();
  other.ends[0]!.resolve();
  await closed;
  expect([sweep.ends.length, other.ends.length]).toEqual([2, 1]);
  // Once it has ended, it runs again.
  background.startOnce('sweep', sweep.work);
  expect(sweep.ends).toHaveLength(3);
  sweep.ends[2]!.resolve();
  await background.close();
});

test('work that fails runs once more if it was asked for meanwhile', async () => {
  const background = silent();
  const { ends, work } = createSteps();
  background.startOnce('sweep', work);
  background.startOnce('sweep', work);
  ends[0]!.reject(new Error('no answer'));
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!.resolve();
  await background.close();
  expect(ends).toHaveLength(2);
});
