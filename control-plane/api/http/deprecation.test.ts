/** A deprecated operation, which this test declares: no operation of the product is deprecated today. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import { features } from '../../app.ts';
import type { Feature } from '../../framework/feature.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import type { Deprecation } from './deprecation.ts';
import { operation } from './operation.ts';

const deprecated: Deprecation = {
  since: '2026-01-01',
  sunset: '2026-07-01',
  docs: '/docs/changelog#on-2026-01-01',
};

const oldThings = (given: Deprecation): Feature => ({
  name: 'old-things',
  open: () => ({
    operations: [
      operation({
        method: 'get',
        path: '/api/old-things/:id',
        deprecated: given,
        docs: {
          id: 'getOldThing',
          tag: 'Old things',
          summary: 'Get an old thing',
          description: 'Returns an old thing.',
          params: { id: { description: 'Its id.', example: 'one' } },
          responses: {
            200: {
              description: 'The thing',
              schema: z.object({ id: z.string().meta({ description: 'Its id.' }) }),
              example: { id: 'one' },
            },
          },
        },
        async handle({ params: { id = '' } }) {
          if (id !== 'one') throw new ClientError('NOT_FOUND', 'There is no such thing');
          return { body: { id } };
        },
      }),
    ],
  }),
});

const start = (given: Deprecation) => startTestControlPlane({ features: [...features, oldThings(given)] });

test('every response of a deprecated operation has Deprecation, Sunset and Link, refusals too, and no other response has', async () => {
  const plane = await start(deprecated);
  const { call } = await plane.workspace();
  const anyone = plane.callWith(undefined);
  const answers = [
    await call('GET', '/api/old-things/one'),
    await call('GET', '/api/old-things/two'),
    await call('GET', '/api/old-things/one?surprise=1'),
    await anyone('GET', '/api/old-things/one'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 401]);
  for (const { headers } of answers)
    expect(['deprecation', 'sunset', 'link'].map((name) => headers.get(name))).toEqual([
      '@1767225600',
      'Wed, 01 Jul 2026 00:00:00 GMT',
      '</docs/changelog#on-2026-01-01>; rel="deprecation"; type="text/html"',
    ]);
  const { headers } = await call('GET', '/api/qr/codes');
  expect(['deprecation', 'sunset', 'link'].map((name) => headers.get(name))).toEqual([null, null, null]);
});

test('OpenAPI and the reference show that an operation is deprecated, until when, and what to use instead', async () => {
  const plane = await start(deprecated);
  const call = plane.callWith(undefined);
  const document = (await call('GET', '/openapi.json')).body;
  expect(document).toMatchObject({
    paths: {
      '/api/old-things/{id}': {
        get: {
          deprecated: true,
          description: expect.stringMatching(
            /Deprecated since 2026-01-01: it may be removed from 2026-07-01 on\. \[What to use instead\]\(\/docs\/changelog#on-2026-01-01\)\./,
          ),
          responses: {
            200: { headers: { Deprecation: {}, Sunset: {}, Link: {} } },
            404: { headers: { Sunset: {} } },
          },
        },
      },
    },
  });
  const marked = JSON.stringify(document).match(/"deprecated":true/g);
  expect(marked).toHaveLength(1);
  const page = String(
    (await call('GET', '/docs/old-things', undefined, { 'accept-encoding': 'identity' })).body,
  );
  expect(page).toContain('<strong>Deprecated</strong>');
  expect(page).toContain('href="/docs/changelog#on-2026-01-01"');
});

test.each([
  [
    { ...deprecated, sunset: '2026-06-30' },
    /getOldThing must be 2026-07-01 or later, 6 months after 2026-01-01/,
  ],
  [{ ...deprecated, since: '2025-08-31', sunset: '2026-02-27' }, /must be 2026-02-28 or later/],
  [{ ...deprecated, since: '2026-02-30' }, /deprecated\.since of getOldThing must be a day/],
  [{ ...deprecated, sunset: 'never' }, /deprecated\.sunset of getOldThing must be a day/],
])('a control plane does not start with less than six months of notice: %j', async (given, message) => {
  await expect(start(given)).rejects.toThrow(message);
});
