/** The documentation of deliveries. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { deliveryTexts } from '#schemas/api/webhooks-texts.ts';

const guide = await readFile(path.resolve(import.meta.dirname, '../README.md'), 'utf8');

test.each([
  ['the API', deliveryTexts.nextAttemptAt],
  ['the guide', guide.split('\n').find((line) => line.includes('`nextAttemptAt`'))],
])('%s says what a nextAttemptAt in the past means', (_, text) => {
  expect(text).toMatch(/in the past.* is due/);
  expect(text).toContain('Retry-After');
});

test('eventId of a batch is the id in its own envelope', () => {
  expect(deliveryTexts.eventId).toContain('a batch has one of its own');
  expect(deliveryTexts.eventId).not.toContain('first event');
});
