/** Records for tests. */
import type { CodeRecord } from '../code-record.ts';

/** The record of a plain code, with changes. */
export const sampleRecord = <Changes extends Partial<CodeRecord>>(
  changes?: Changes,
): CodeRecord & Changes => ({
  id: 'abcdefghi',
  workspaceId: 'ws_1111111111111111',
  version: 1,
  active: true,
  destination: 'https://example.com/',
  ...(changes as Changes),
});

/** A record with every possible key. */
export const fullRecord: Required<CodeRecord> = {
  id: 'abcdefghi',
  workspaceId: 'ws_1111111111111111',
  version: 7,
  active: true,
  erased: true,
  suspended: true,
  dataType: 'text',
  destination: 'hello',
  encrypted: 'AES',
  passwordProtected: true,
  startsAtMs: 4,
  beforeStartUrl: 'https://example.com/soon',
  expiresAtMs: 5,
  expiredUrl: 'https://example.com/over',
  schedule: [{ atMs: 3, destination: 'https://example.com/later' }],
  parameters: { forward: true, own: [['utm_source', '{source}']], scanId: 'wm_sid' },
  cap: { max: 1, epoch: 2 },
  sources: ['a'],
  rules: [{ id: 'r', condition: { country: ['DE'] }, destination: 'https://de.example/' }],
  variants: [{ id: 'v', name: 'V', destination: 'https://v.example/', weight: 1 }],
  messages: {
    expired: { title: 'Over', text: 'It ended.', button: { label: 'Shop', url: 'https://example.com/' } },
  },
  deepLink: { ios: { url: 'app://x' } },
  analytics: 'none',
};
