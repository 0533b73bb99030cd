import { expect, test } from 'vitest';
import { parseResident, parseStat, parseTcp } from './processes.ts';

const stat = (name: string) =>
  `4242 (${name}) S 1 4242 4242 0 -1 4194560 2718 11 0 0 250 75 30 5 20 0 11 0 12345 1000000 5000 18446744073709551615`;

test('user and system time are read in milliseconds, and those of children that have ended', () => {
  expect(parseStat(stat('node'))).toEqual({ userMs: 2500, systemMs: 750, endedChildrenMs: 350 });
});

test('a process may be called anything', () => {
  expect(parseStat(stat('a) S 9 (b'))).toEqual(parseStat(stat('node')));
});

test('a text that is no stat is refused', () => {
  expect(() => parseStat('4242 (node)')).toThrow('not the stat of a process');
});

test('resident memory is read in bytes, now and at its highest', () => {
  const status = 'Name:\tnode\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\n';
  expect(parseResident(status)).toBe(100 * 2 ** 20);
  expect(parseResident(status, 'VmHWM')).toBe(200 * 2 ** 20);
  expect(parseResident('Name:\tkthreadd\n')).toBe(0);
});

test('connections are read with their inode and the port of the other side', () => {
  const text =
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n' +
    '   0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 777 1 0000\n';
  expect(parseTcp(text)).toEqual([{ inode: '777', remotePort: 50_000 }]);
});
