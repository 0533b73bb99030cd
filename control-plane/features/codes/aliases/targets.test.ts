/** Names of domains as they are asked for. */
import { expect, test } from 'vitest';
import { aliasDomainName } from './targets.ts';

test.each([
  ['go.example.com', 'go.example.com'],
  ['GO.Example.com.', 'go.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['QR.example.com', null],
])('%s is the domain %s', (given, name) => {
  expect(aliasDomainName(given, 'qr.example.com')).toBe(name);
});

test.each([
  'go.example.com/x',
  'qr.example.com/x',
  'go.example.com:80',
  'go.example.com?x',
  'go.example.com#x',
  'a@go.example.com',
  'go.example.com\\x',
  'go.exa\tmple.com',
])('%j is no domain', (given) => {
  expect(['go.example.com', null]).not.toContain(aliasDomainName(given, 'qr.example.com'));
});
