import { expect, test } from 'vitest';
import { foreignShare, parseBusyMs } from './quiet.ts';

const stat = 'cpu  300 0 0 0\ncpu0 100 5 50 9000 700 3 2 40 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\n';

test('a core is busy with everything but idling and waiting, also when the hypervisor took it', () => {
  expect(parseBusyMs(stat, 0)).toBe(2000);
  expect(() => parseBusyMs(stat, 7)).toThrow('no core 7');
});

test('others have the time of the core that the server did not take, never less than nothing', () => {
  expect(foreignShare(3000, 2000, 4000)).toBe(0.25);
  expect(foreignShare(1990, 2000, 4000)).toBe(0);
});
