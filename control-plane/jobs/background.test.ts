import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createBackground } from './background.ts';

test('work that fails again and again for the same reason is a line of the log, not one each time', async () => {
  const lines: string[] = [];
  const background = createBackground(pino({}, { write: (line: string) => void lines.push(line) }));
  for (let n = 0; n < 20; n++) background.start('publishing', Promise.reject(new Error('no answer')));
  background.start('publishing', Promise.reject(new Error('another reason')));
  await background.close();
  expect(lines.map((line) => JSON.parse(line).err.message)).toEqual(['no answer', 'another reason']);
});
