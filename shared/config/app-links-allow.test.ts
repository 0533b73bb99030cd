import { describe, expect, test } from 'vitest';
import { loadSettings } from '../config.ts';

const allowed = (APP_LINKS_ALLOW?: string) =>
  loadSettings({ ...(APP_LINKS_ALLOW !== undefined && { APP_LINKS_ALLOW }) }).appLinksAllow;
const sha256 = (pair: string) => Array.from({ length: 32 }, () => pair).join(':');

describe('APP_LINKS_ALLOW', () => {
  test('is empty by default', () => {
    const nothing = { iosAppIds: [], androidApps: [], workspaceIds: [] };
    expect(allowed()).toEqual(nothing);
    expect(allowed(' , ')).toEqual(nothing);
  });

  test('lists iOS apps, Android apps with a certificate, and workspaces', () => {
    expect(
      allowed(
        `ABCDE12345.com.example.app,com.example.app=${sha256('ab')}\n com.example.app=${sha256('CD')}, ws_default`,
      ),
    ).toEqual({
      iosAppIds: ['ABCDE12345.com.example.app'],
      androidApps: [
        { package: 'com.example.app', sha256CertFingerprint: sha256('AB') },
        { package: 'com.example.app', sha256CertFingerprint: sha256('CD') },
      ],
      workspaceIds: ['ws_default'],
    });
  });

  test.each([
    'com.example.app',
    'abcde12345.com.example.app',
    'com.example.app=',
    `com.example.app=${sha256('AB').slice(3)}`,
    `com.example.app=${sha256('XY')}`,
    'ws_',
    '*',
    `ABCDE12345.${'a.'.repeat(50_000)}`,
  ])('a wrong entry stops the start with one line that names it: %.40s', (entry) => {
    expect(() => allowed(`ws_default,${entry}`)).toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        message: expect.stringMatching(
          /^APP_LINKS_ALLOW has the entry [^\n]+; an entry must be an iOS app [^\n]+$/,
        ),
      }),
    );
    expect(() => allowed(`ws_default,${entry}`)).toThrow(entry.slice(0, 200));
  });

  test('has at most 1000 entries', () => {
    const entries = (count: number) => Array.from({ length: count }, (_, n) => `ws_${n}`).join(',');
    expect(allowed(entries(1_000)).workspaceIds).toHaveLength(1_000);
    expect(() => allowed(entries(1_001))).toThrow('APP_LINKS_ALLOW must have at most 1000 entries');
  });
});
