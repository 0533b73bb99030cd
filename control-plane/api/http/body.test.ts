/** A body that is parsed in steps is read as if it were parsed at once, and its faults are the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { cpuOf, longestStep } from '../../testing/longest-step.ts';
import { bodyLimits, jsonTextOf, parseJson, parseJsonText } from './body.ts';

const limit = bodyLimits.code;
const read = async (bytes: Buffer): Promise<unknown> => parseJsonText(await jsonTextOf(bytes, limit), limit);

/** Above 256 KB a body is parsed in steps. */
const long = (unit: string, bytes = 300_000): string =>
  unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)));

test('a large body is the value that it would be if it were parsed at once, wherever a character is cut', async () => {
  const units = fc.constantFrom('a', 'é', '漢', '🙂', 'a漢', '\\u6f22', '\\"');
  await fc.assert(
    fc.asyncProperty(units, fc.string({ maxLength: 5 }), async (unit, start) => {
      const text = `{"a":${JSON.stringify(start)},"b":"${long(unit)}"}`;
      expect(await read(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
    { numRuns: 30 },
  );
  expect(await read(Buffer.from(`\ufeff{"a":"${long('漢')}"}`))).toEqual({ a: long('漢') });
});

test.each([
  [
    'that is cut in a character',
    Buffer.from(`{"a":"${long('漢')}`).subarray(0, -1),
    'The body is not valid UTF-8',
  ],
  [
    'with a byte that is not UTF-8',
    Buffer.from(`{"a":"${long('é')}\xff"}`, 'latin1'),
    'The body is not valid UTF-8',
  ],
  ['that does not end', Buffer.from(`{"a":"${long('漢')}"`), 'The body is not valid JSON'],
  ['of blanks', Buffer.from(long(' ')), 'The body is empty, which is not valid JSON; send a JSON object'],
])('a large body %s is refused', async (_, bytes, message) => {
  const error = await read(bytes).catch((refusal: unknown) => refusal);
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining(message) });
});

test('the largest body of a code is parsed in short steps: others are served between them', async () => {
  const bytes = Buffer.from(`{"a":"${long('漢', 3_900_000)}"}`);
  const tries = [1, 2, 3, 4, 5];
  const atOnceMs = Math.min(...tries.map(() => cpuOf(() => parseJson(bytes))));
  let stepMs = Number.POSITIVE_INFINITY;
  for (const _ of tries) stepMs = Math.min(stepMs, (await longestStep(() => read(bytes))).stepMs);
  expect(stepMs).toBeLessThan(atOnceMs * 0.7);
});
