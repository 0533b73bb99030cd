/** What the documentation promises of replays is what they do. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { replayBody } from '#schemas/api/webhooks.ts';
import { replayDocs } from './docs.ts';

const guide = await readFile(path.resolve(import.meta.dirname, '../README.md'), 'utf8');
const [replayInGuide = ''] = /^- \*\*Replay\*\*[\s\S]*?(?=\n- )/m.exec(guide) ?? [];

test.each([
  ['the API', replayBody.shape.which.description],
  ['the operation', JSON.stringify(replayDocs)],
  ['the guide', replayInGuide],
])('%s promises of missed events all but the scans that no webhook of the workspace followed', (_, text) => {
  expect(text).toMatch(/overflowed/);
  expect(text).toContain('before it existed');
  expect(text).toContain('Scans that no webhook followed are not kept');
});
