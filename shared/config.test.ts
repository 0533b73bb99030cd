import { describe, expect, test } from 'vitest';
import { loadSettings } from './config.ts';

const urlsOf = (env: Record<string, string>): string[] => {
  const { controlPlane } = loadSettings(env);
  return [controlPlane.url, controlPlane.internalUrl];
};

describe('HOST and INTERNAL_HOST', () => {
  test.each([
    [{}, 'http://127.0.0.1:3000', 'http://127.0.0.1:3001'],
    [{ HOST: '::' }, 'http://127.0.0.1:3000', 'http://127.0.0.1:3001'],
    [{ HOST: '::1', INTERNAL_HOST: '[::1]' }, 'http://[::1]:3000', 'http://[::1]:3001'],
    [{ HOST: '192.0.2.7' }, 'http://192.0.2.7:3000', 'http://127.0.0.1:3001'],
    [{ HOST: 'localhost' }, 'http://localhost:3000', 'http://127.0.0.1:3001'],
  ])('redirectors on this machine reach a control plane on %o', (env, ...urls) => {
    expect(urlsOf(env)).toEqual(urls);
  });

  test.each(['not an address', '[::1', ':::', 'http://x'])('%s is refused by name', (HOST) => {
    expect(() => loadSettings({ HOST })).toThrow(/^HOST must be an IP address or the name of this host/);
  });
});
