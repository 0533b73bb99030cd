import { expect, test } from 'vitest';
import { interleave, mediansOf, takeRounds } from './interleave.ts';

test('subjects are measured in turn, and their warm-ups do not count', async () => {
  const asked: string[] = [];
  const results = await interleave(['a', 'b'], { rounds: 2, warmUps: 1 }, async (subject, round) => {
    asked.push(`${subject}${round}`);
    return round;
  });
  expect(asked).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
  expect([...results]).toEqual([
    ['a', [1, 2]],
    ['b', [1, 2]],
  ]);
  expect(await takeRounds({ rounds: 2 }, async (round) => round)).toEqual([0, 1]);
});

test('each figure has its own median, over the rounds that have it', () => {
  const rounds: { cpuUs: number; p99Ms?: number; idle?: number }[] = [
    { cpuUs: 30, p99Ms: 2 },
    { cpuUs: 10, p99Ms: 4 },
    { cpuUs: 20 },
  ];
  expect(mediansOf(rounds)).toEqual({ cpuUs: 20, p99Ms: 3 });
});
