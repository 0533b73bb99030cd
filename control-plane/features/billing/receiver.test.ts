/** The endpoint for Stripe's events: which it trusts, and which it refuses. */
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { exampleRequestId } from '../../api/http/refusal-body.ts';
import { errorBody, startTestControlPlane, type TestControlPlane } from '../../testing/control-plane.ts';
import { withoutReferences } from '../../testing/documented-operations.ts';
import {
  eventOf,
  newId,
  nowSeconds,
  sign,
  stripeEnvironment,
  subscriptionOf,
  webhookSecret,
} from './testing/stripe.ts';

const newSecret = 'whsec_that_comes_next_0123456789';
const path = '/api/webhook/stripe';

let plane: TestControlPlane;
const logged: string[] = [];

beforeAll(async () => {
  plane = await startTestControlPlane({
    logger: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
    environment: { ...stripeEnvironment, STRIPE_WEBHOOK_SECRET: `${webhookSecret}, ${newSecret}` },
  });
});

let addresses = 0;

/** From an address that has not sent anything yet. */
const post = (body: string | Buffer, signature: string, from = `198.51.100.${++addresses}`) =>
  plane.callWith(undefined)('POST', path, body, {
    'stripe-signature': signature,
    'content-type': 'application/json; charset=utf-8',
    'x-forwarded-for': from,
  });

const payloadOf = (more: object = {}): string =>
  JSON.stringify({
    ...eventOf('customer.subscription.updated', subscriptionOf(newId('sub'), 'active', 'x')),
    ...more,
  });

const stored = async (): Promise<number> => {
  const { rows } = await plane.pool.query<{ stored: number }>(
    'SELECT count(*)::integer AS stored FROM billing_events',
  );
  return rows[0]!.stored;
};

describe('the signature', () => {
  test.each([
    ['by the present secret', webhookSecret],
    ['by the next secret', newSecret],
  ])('%s is accepted', async (_, secret) => {
    const payload = payloadOf();
    expect((await post(payload, sign(payload, secret))).status).toBe(200);
  });

  test('covers the exact bytes sent, including space and the order of fields', async () => {
    const payload = JSON.stringify(JSON.parse(payloadOf()), null, 2);
    expect((await post(payload, sign(payload))).status).toBe(200);
    expect((await post(JSON.stringify(JSON.parse(payload)), sign(payload))).status).toBe(400);
  });

  test('is refused after 5 minutes, as it may be a recording', async () => {
    const payload = payloadOf();
    const answer = await post(payload, sign(payload, webhookSecret, nowSeconds() - 400));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('more than 5 minutes old') },
    });
    expect((await post(payload, sign(payload, webhookSecret, nowSeconds() - 200))).status).toBe(200);
  });

  test('is refused if it is dated more than 5 minutes ahead', async () => {
    const before = await stored();
    const payload = payloadOf();
    for (const aheadS of [86_400, 400]) {
      const answer = await post(payload, sign(payload, webhookSecret, nowSeconds() + aheadS));
      expect(answer).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^Stripe-Signature is dated more than 5 minutes ahead/) },
      });
    }
    expect(await stored()).toBe(before);
    // If there are two times, the last one is signed.
    const twoTimes = `t=${nowSeconds()},${sign(payload, webhookSecret, nowSeconds() + 86_400)}`;
    expect((await post(payload, twoTimes)).status).toBe(400);
    expect(await stored()).toBe(before);
    expect((await post(payload, sign(payload, newSecret, nowSeconds() + 200))).status).toBe(200);
  });

  test.each([
    ['by another secret', (payload: string) => sign(payload, 'whsec_of_somebody_else_012345')],
    ['of another body', () => sign('{}')],
    ['malformed', () => 'v1=abc'],
    ['too long', (payload: string) => `${sign(payload)},v1=${'0'.repeat(2_000)}`],
  ])(
    'is refused if it is %s; the answer repeats nothing of the body, and nothing is stored',
    async (_, signature) => {
      const before = await stored();
      const payload = payloadOf();
      const { status, body } = await post(payload, signature(payload));
      expect(status).toBe(400);
      expect(body).toMatchObject({
        error: expect.stringMatching(/^Stripe-Signature must /),
        code: 'INVALID_REQUEST',
      });
      expect(JSON.stringify(body)).not.toContain('sub_');
      expect(await stored()).toBe(before);
    },
  );

  test.each([
    ['missing', '', 'The header Stripe-Signature is missing'],
    ['too long', 'v'.repeat(1_001), 'Stripe-Signature must have at most 1000 characters; given: 1001'],
  ])('is reported as %s', async (_, signature, error) => {
    expect(await post(payloadOf(), signature)).toMatchObject({ status: 400, body: { error } });
  });
});

test('the OpenAPI document lists the signature as a parameter, and examples of all refusals', async () => {
  const documented = withoutReferences((await plane.callWith(undefined)('GET', '/openapi.json')).body);
  const refusal = z.looseObject({ content: z.record(z.string(), z.looseObject({ example: z.unknown() })) });
  const { parameters, responses } = z
    .object({
      paths: z.object({
        [path]: z.object({
          post: z.object({
            parameters: z.array(z.looseObject({})),
            responses: z.object({ 400: refusal, 404: refusal, 422: refusal }),
          }),
        }),
      }),
    })
    .parse(documented).paths[path]!.post;
  expect(parameters).toMatchObject([{ name: 'Stripe-Signature', in: 'header', required: true }]);
  const exampleOf = ({ content }: z.output<typeof refusal>) => content['application/json']?.example;
  const noEvent = '{"type":"a"}';
  const sent = async (signature: string) => ({
    ...errorBody.parse((await post(noEvent, signature)).body),
    requestId: exampleRequestId,
  });
  expect(exampleOf(responses[400])).toEqual(await sent(''));
  expect(exampleOf(responses[404])).toMatchObject({ error: expect.stringMatching(/^Payments by Stripe/) });
  expect(exampleOf(responses[422])).toEqual(await sent(sign(noEvent)));
});

describe('the body', () => {
  test.each([
    ['larger than 1 MB', 413, () => JSON.stringify({ text: 'x'.repeat(2 ** 20) })],
    ['nested a thousandfold', 400, () => '['.repeat(1_000) + ']'.repeat(1_000)],
    ['of a hundred thousand parts', 400, () => JSON.stringify(Array.from({ length: 100_000 }, () => 1))],
    ['no JSON', 400, () => '{"id": '],
    ['not UTF-8', 400, () => Buffer.from([0x7b, 0xff, 0x7d])],
    ['no event', 422, () => JSON.stringify({ hello: 'world' })],
    ['an event with a number for its id', 422, () => payloadOf({ id: 7 })],
    ['a thin event', 400, () => JSON.stringify({ object: 'v2.core.event', id: 'evt_1' })],
  ])('is refused if it is %s, with %s, even if it is signed', async (_, status, make) => {
    const body = make();
    expect((await post(body, sign(body.toString()))).status).toBe(status);
  });

  test.each([
    ['id is required', '{}'],
    ['id must be a string', payloadOf({ id: 7 })],
    ['type must have 1 to 100 lower-case letters, digits, dots or underscores', payloadOf({ type: 'A B' })],
    ['created must be a whole number', payloadOf({ created: 1.5 })],
    ['data must be an object', payloadOf({ data: [] })],
  ])('is refused in our own words if it is not an event: %s', async (why, payload) => {
    expect(await post(payload, sign(payload))).toMatchObject({
      status: 422,
      body: { error: `The body is no event of Stripe: ${why}` },
    });
  });

  test('may have unknown fields, and the answer has the outcome of the event', async () => {
    const payload = payloadOf({ livemode: true, api_version: '2031-01-01.unknown', of_tomorrow: { a: [1] } });
    expect(await post(payload, sign(payload))).toMatchObject({
      status: 200,
      body: { received: true, outcome: 'waiting' },
    });
  });
});

test('one address may send 60 events in a minute', async () => {
  const from = '203.0.113.77';
  const answers = await Promise.all(Array.from({ length: 61 }, () => post('{}', 't=1,v1=0', from)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 60 }, () => 400), 429]);
});

test('the log message says which event is kept, as what, and why', async () => {
  const payload = payloadOf();
  await post(payload, sign(payload));
  const { id } = JSON.parse(payload);
  const line = logged.find((each) => each.includes(id)) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({
    msg: expect.stringMatching(
      new RegExp(
        `^event ${id} of Stripe \\(customer\\.subscription\\.updated\\) is waiting: it names no subscription or workspace of ours;`,
      ),
    ),
  });
});

test('events are counted by outcome', async () => {
  const payload = payloadOf();
  await post(payload, sign(payload));
  await post(payload, sign(payload));
  const { body } = await plane.internal('GET', '/metrics');
  const metrics = String(body);
  for (const outcome of ['waiting', 'repeated', 'refused'])
    expect(metrics).toMatch(new RegExp(`^waymark_billing_events_total\\{outcome="${outcome}"\\} [1-9]`, 'm'));
});

test('without a secret the address is 404 and names the variable', async () => {
  const { databaseUrl, redisUrl, clickhouseUrl } = plane;
  const bare = await startTestControlPlane({ databaseUrl, redisUrl, clickhouseUrl });
  const payload = payloadOf();
  expect(
    await bare.callWith(undefined)('POST', path, payload, { 'stripe-signature': sign(payload) }),
  ).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('STRIPE_WEBHOOK_SECRET') },
  });
});
