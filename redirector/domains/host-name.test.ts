import { expect, test } from 'vitest';
import { hostNameOf } from './host-name.ts';

test.each([
  ['go.example.com', 'go.example.com'],
  ['GO.Example.COM', 'go.example.com'],
  ['go.example.com.', 'go.example.com'],
  ['go.example.com:443', 'go.example.com'],
  ['go.example.com.:8443', 'go.example.com'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['_a.b-c.example', '_a.b-c.example'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
])('Host: %s names the domain %s', (host, name) => expect(hostNameOf(host)).toBe(name));

test.each([
  '',
  '.',
  'localhost',
  'localhost:8080',
  '127.0.0.1',
  '127.0.0.1:8080',
  '0x7f.1',
  '[::1]',
  '[2001:db8::1]:8080',
  '2001:db8::1',
  'go..example.com',
  '.example.com',
  'go.example.com..',
  'go.example.com:8o',
  'go.example.com:123456',
  'a.com,b.com',
  'a.com b.com',
  'user@go.example.com',
  'go.example.com/r',
  'bücher.example',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(130)}example`,
  'x'.repeat(16_000),
])('Host: %s names no domain', (host) => expect(hostNameOf(host)).toBeUndefined());
