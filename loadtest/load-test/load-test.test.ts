import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { atMost } from '../report/judge.ts';
import { callLoadTest } from './call.ts';
import { quick } from './flags.ts';
import { defineLoadTest } from './load-test.ts';

/** Runs a load test of two rows. @returns the exit code, the output, the results, and the names of what was done, in turn */
const run = async (args: string[], figures: { ms: number; lost: number }, failure?: Error) => {
  const [folder, done, output]: [string, string[], string[]] = [await temporaryFolder(), [], []];
  const print = (line: unknown) => void output.push(String(line));
  const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
  for (const spy of spies) spy.mockImplementation(print);
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  const loadTest = defineLoadTest(
    {
      name: 'sample',
      about: 'measures a sample',
      flags: { quick },
      only: { noun: 'row' },
      async environment({ closer }) {
        closer.add(() => done.push('closed'));
        return {};
      },
      rows: {
        async times() {
          done.push('times');
          if (failure) throw failure;
          return { ms: figures.ms };
        },
        async counts() {
          done.push('counts');
          return { lost: figures.lost };
        },
      },
      criteria: [
        {
          id: 'ms',
          title: 'a time',
          ...atMost(10, ' ms', 5),
          row: 'times',
          finding: ({ ms }) => ({ value: ms }),
        },
        {
          id: 'lost',
          title: 'lost',
          ...atMost(0, ''),
          row: 'counts',
          finding: ({ lost }) => ({ value: lost }),
        },
      ],
      remarks: () => ['a remark'],
      tables: ({ times }) => [JSON.stringify(times)],
      picture: ({ rows }) => (rows.times ? '<svg/>' : undefined),
    },
    folder,
  );
  const code = await callLoadTest(['sample', ...args], [loadTest], { say: print, complain: print });
  const files = await readdir(folder);
  const json = files.find((file) => file.endsWith('.json'))!;
  const results = JSON.parse(await readFile(path.join(folder, json), 'utf8'));
  return {
    code,
    output: output.join('\n'),
    results,
    done,
    hasPicture: files.some((f) => f.endsWith('.svg')),
  };
};

test('the rows are measured in turn, reported with their verdicts, and kept; then the environment closes', async () => {
  const { code, output, results, done, hasPicture } = await run([], { ms: 7, lost: 0 });
  expect([code, done, hasPicture]).toEqual([0, ['times', 'counts', 'closed'], true]);
  expect(output).toContain('\na remark\n\n{"ms":7}\n\n| figure');
  expect(output).toMatch(/a time +\| ≤ 10 ms +\| ≤ 5 ms +\| 7\.0 ms +\| must met/);
  expect(output).toMatch(/lost +\| 0 +\| 0 +\| 0 +\| aim met/);
  expect(results).toMatchObject({
    quick: false,
    remarks: ['a remark'],
    rows: { times: { ms: 7 }, counts: { lost: 0 } },
  });
});

test('the command ends with 1 if a promise does not hold, and names it', async () => {
  const { code, output } = await run([], { ms: 11, lost: 0 });
  expect([code, output]).toEqual([1, expect.stringContaining('\nNOT MET: a time')]);
});

test('in short rounds only counts are judged', async () => {
  expect(await run(['--quick'], { ms: 11, lost: 0 })).toMatchObject({ code: 0, results: { quick: true } });
  const { code, output } = await run(['--quick'], { ms: 11, lost: 2 });
  expect([code, output]).toEqual([1, expect.stringContaining('\nNOT MET: lost')]);
});

test('a row that fails has its reason in the report, the other rows are measured, and the command ends with 1', async () => {
  const { code, output, done } = await run([], { ms: 1, lost: 0 }, new Error('it broke'));
  expect([code, done]).toEqual([1, ['times', 'counts', 'closed']]);
  expect(output).toMatch(/a time .*\| not measured \| it broke/);
  expect(output).toContain('\nNOT MET: the row times');
});

test('a row that was not asked for is not measured', async () => {
  const { code, output, done } = await run(['--only', 'counts'], { ms: 99, lost: 0 });
  expect([code, done]).toEqual([0, ['counts', 'closed']]);
  expect(output).toMatch(/a time .*\| not measured \| not asked for/);
});
