import { expect, test } from 'vitest';
import { collectTasks } from './tasks.ts';

const run = async () => {};

test('the tasks of all features become one list of tasks and one crontab', () => {
  const { tasks, crontab } = collectTasks([
    { name: 'one', tasks: [{ task: 'sweep', schedule: '* * * * *', run }] },
    { name: 'two' },
    {
      name: 'three',
      tasks: [
        { task: 'send', run },
        { task: 'settle', schedule: '0 4 * * *', run },
      ],
    },
  ]);
  expect(tasks).toEqual({ sweep: run, send: run, settle: run });
  expect(crontab).toBe('* * * * * sweep\n0 4 * * * settle');
});

test('a task that two features declare is refused by both their names', () => {
  const tasks = [{ task: 'sweep', run }];
  expect(() =>
    collectTasks([
      { name: 'one', tasks },
      { name: 'two', tasks },
    ]),
  ).toThrow("the task 'sweep' is declared twice: by one and by two");
});

test.each(['* * * *', '61 * * * *', '* * * * * other', 'soon', ''])(
  'a schedule that is none is refused by the names of its feature and task: %s',
  (schedule) => {
    expect(() => collectTasks([{ name: 'one', tasks: [{ task: 'sweep', schedule, run }] }])).toThrow(
      `the schedule of one's task 'sweep' must be the five fields of a crontab; given: '${schedule}'`,
    );
  },
);
