import { expect, test } from 'vitest';
import { callsBetween } from './redis-commands.ts';

const info = (lines: string[]) => `# Commandstats\r\n${lines.join('\r\n')}\r\n`;

test('commands are counted between two looks, the most frequent first, without the looks themselves', () => {
  const before = info(['cmdstat_mget:calls=10,usec=5,usec_per_call=0.50', 'cmdstat_info:calls=1,usec=9']);
  const after = info([
    'cmdstat_mget:calls=25,usec=9,usec_per_call=0.36',
    'cmdstat_xread:calls=40,usec=9,usec_per_call=0.2',
    'cmdstat_ping:calls=0,usec=0,usec_per_call=0.00',
    'cmdstat_info:calls=2,usec=18',
  ]);
  expect(callsBetween(before, after)).toEqual([
    ['xread', 40],
    ['mget', 15],
  ]);
});
