import { describe, expect, test } from 'vitest';
import { faultsIn, judgeUnits, type UnitAnswers } from './judge.ts';

const answers = (changes: Partial<UnitAnswers> = {}): UnitAnswers => ({
  first: 1,
  again: 4,
  unavailable: 0,
  broken: 0,
  ...changes,
});
const stored = (scanCount: number, claimed = true) => ({ scanCount, claimed });
const faults = (answered: UnitAnswers, kept: { scanCount: number; claimed: boolean }) =>
  faultsIn(judgeUnits([answers(), answered], [stored(5), kept]));

describe('a run is without a fault', () => {
  test.each([
    ['if each verdict is counted once', answers(), stored(5)],
    ['if scans of a broken connection are counted, or are not', answers({ broken: 2 }), stored(6)],
    [
      'if no verdict says that a unit is claimed, and a connection broke',
      answers({ first: 0, broken: 1 }),
      stored(5),
    ],
    [
      'if no verdict says that a unit is claimed, and an answer was 503',
      answers({ first: 0, unavailable: 1 }),
      stored(4),
    ],
    ['if a unit got 503 alone', answers({ first: 0, again: 0, unavailable: 9 }), stored(0, false)],
  ])('%s', (_, answered, kept) => {
    expect(faults(answered, kept)).toEqual([]);
  });
});

test.each([
  ['two firsts of one unit', answers({ first: 2, again: 3 }), stored(5), /^1 units with two first scans/],
  ['no first scan', answers({ first: 0, again: 5 }), stored(5), /^1 units without a first scan/],
  ['a claim that is not stored', answers(), stored(5, false), /^1 units with verdicts whose claim/],
  ['verdicts that are not counted', answers(), stored(3), /^2 verdicts that are not counted/],
  ['a 503 that is counted', answers({ unavailable: 3 }), stored(7), /^2 counted scans that no scanner made/],
])('%s: a fault', (_, answered, kept, message) => {
  expect(faults(answered, kept)).toEqual([expect.stringMatching(message)]);
});
