/** The documentation of deliveries. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { deliveryObject } from '#schemas/api/webhooks.ts';

const guide = await readFile(path.resolve(import.meta.dirname, '../README.md'), 'utf8');

test.each([
  ['the API', deliveryObject.shape.nextAttemptAt.description],
  ['the guide', guide.split('\n').find((line) => line.includes('`nextAttemptAt`'))],
])('%s says what a nextAttemptAt in the past means', (_, text) => {
  expect(text).toMatch(/in the past.* is due/);
  expect(text).toContain('Retry-After');
});

test('eventId of a batch is the id in its own envelope', () => {
  const { description } = deliveryObject.shape.eventId;
  expect(description).toContain('For a batch, the id of the batch');
  expect(description).not.toContain('first event');
});
