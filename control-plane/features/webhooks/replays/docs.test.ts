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
])('%s promises of missed events those alone that a webhook of the workspace followed', (_, text) => {
  expect(text).toContain('another webhook');
  expect(text).toMatch(/overflowed/);
  expect(text).not.toMatch(/from before the webhook|older than the webhook|new webhook/);
});
