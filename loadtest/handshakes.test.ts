import { expect, test } from 'vitest';
import { connectionsIn, ratioOf } from './handshakes.ts';

const output = (marks: string, count: number): string =>
  `Collecting connection statistics for 1 seconds\n${marks}\n\n${count} connections in 0.36s; 4233.33 connections/user sec, bytes read 0\n${count} connections in 2 real seconds, 174 bytes read per connection\n`;

test('the connections of s_time are counted, new ones and resumed ones', () => {
  expect(connectionsIn(output('***', 3), false)).toBe(3);
  expect(connectionsIn(output('rrr', 3), true)).toBe(3);
});

test('sessions that were resumed are no figure for new handshakes, nor new ones for resumed sessions', () => {
  expect(() => connectionsIn(output('**r', 3), false)).toThrow('of 3 sessions 1 were resumed');
  expect(() => connectionsIn(output('*rr', 3), true)).toThrow('of 3 sessions 2 were resumed');
  expect(() => connectionsIn('ERROR', false)).toThrow('no handshakes: ERROR');
});

test('servers are compared within their rounds', () => {
  expect(ratioOf([200, 400, 90], [100, 100, 30])).toBe(3);
});
