import { expect, test } from 'vitest';
import { collectJobs } from './registry.ts';

const run = async () => {};

test('the jobs of all features become one list of tasks and one crontab', () => {
  const { tasks, crontab } = collectJobs([
    { name: 'one', jobs: [{ task: 'sweep', schedule: '* * * * *', run }] },
    { name: 'two' },
    {
      name: 'three',
      jobs: [
        { task: 'send', run },
        { task: 'settle', schedule: '0 4 * * *', run },
      ],
    },
  ]);
  expect(tasks).toEqual({ sweep: run, send: run, settle: run });
  expect(crontab).toBe('* * * * * sweep\n0 4 * * * settle');
});

test('a task that two features declare is refused by both their names', () => {
  const jobs = [{ task: 'sweep', run }];
  expect(() =>
    collectJobs([
      { name: 'one', jobs },
      { name: 'two', jobs },
    ]),
  ).toThrow("the task 'sweep' is declared twice: by one and by two");
});

test.each(['* * * *', '61 * * * *', '* * * * * other', 'soon', ''])(
  'a schedule that is none is refused by the names of its feature and task: %s',
  (schedule) => {
    expect(() => collectJobs([{ name: 'one', jobs: [{ task: 'sweep', schedule, run }] }])).toThrow(
      `the schedule of one's task 'sweep' must be the five fields of a crontab; given: '${schedule}'`,
    );
  },
);
