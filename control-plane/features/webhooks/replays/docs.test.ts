/** What the documentation promises of replays is what they do. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { replayTexts } from '#schemas/api/webhooks-texts.ts';
import { replayDocs } from './docs.ts';

const guide = await readFile(path.resolve(import.meta.dirname, '../README.md'), 'utf8');
const [replayInGuide = ''] = /^- \*\*Replay\*\*[\s\S]*?(?=\n- )/m.exec(guide) ?? [];

test.each([
  ['the API', JSON.stringify(replayTexts)],
  ['the operation', JSON.stringify(replayDocs)],
  ['the guide', replayInGuide],
])('%s promises of missed events those alone that a webhook of the workspace followed', (_, text) => {
  expect(text).toContain('another webhook');
  expect(text).toMatch(/overflowed/);
  expect(text).not.toMatch(/from before the webhook|older than the webhook|new webhook/);
});
