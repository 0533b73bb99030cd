import { expect, test } from 'vitest';
import { countIterations } from '../../testing/iterations.ts';
import { yieldToOthers } from './steps.ts';

const iteration = countIterations();

test('of fifty that yield at once, one continues in each iteration of the event loop, in their order', async () => {
  const continued: [caller: number, iteration: number][] = [];
  await Promise.all(
    Array.from({ length: 50 }, async (_, caller) => {
      await yieldToOthers();
      continued.push([caller, iteration()]);
    }),
  );
  expect(continued.map(([caller]) => caller)).toEqual(Array.from({ length: 50 }, (_, at) => at));
  expect(new Set(continued.map(([, at]) => at)).size).toBe(50);
});

test('a caller that yields again and again takes turns with the others', async () => {
  const order: string[] = [];
  const steps = async (name: string, times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await yieldToOthers();
      order.push(name);
    }
  };
  await Promise.all([steps('a', 3), steps('b', 3)]);
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
});
