import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { applyChanges, reuseSafe, withProxyProtocol } from './edge.ts';

const haproxy = () => readFile(new URL('../../deploy/edge/haproxy.cfg', import.meta.url), 'utf8');

test('a text that a configuration no longer has is named', () => {
  expect(() => applyChanges('nginx.conf', 'a b', [['c', 'd']])).toThrow('deploy/edge/nginx.conf has no "c"');
});

test('the costly options are one line of the configuration that operators get', async () => {
  const text = await haproxy();
  expect(applyChanges('haproxy.cfg', text, reuseSafe)).toContain('  http-reuse safe\n');
  expect(applyChanges('haproxy.cfg', text, withProxyProtocol)).toMatch(
    /server redirector1 .* send-proxy-v2 check/,
  );
});
