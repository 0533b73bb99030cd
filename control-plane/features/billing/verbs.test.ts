/** Operator verbs about plans and payments. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../deploy/testing/index.ts';
import { callAdmin } from '../../admin/call.ts';
import { createOutbox } from '../../framework/outbox.ts';
import { startTestControlPlane, type TestControlPlane } from '../../testing/control-plane.ts';
import { recordedOf, recordedTypes, termsNow } from './testing/provider-events.ts';
import { recordedTable, recorder, recordingFeatures } from './testing/recording-plane.ts';
import { eventOf, invoiceOf, newId, outcomeOf, stripeEnvironment, subscriptionOf } from './testing/stripe.ts';
import { billingVerbs } from './verbs.ts';

let plane: TestControlPlane;

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  plane = await startTestControlPlane({
    databaseUrl,
    features: recordingFeatures,
    environment: stripeEnvironment,
  });
  await plane.pool.query(recordedTable);
});

type Line = Record<string, unknown>;

const run = async (args: readonly string[], more: Record<string, string> = {}) => {
  const [lines, complaints]: [Line[], string[]] = [[], []];
  const code = await callAdmin(
    args,
    { verbs: billingVerbs, outbox: createOutbox([recorder]) },
    {
      environment: { ...stripeEnvironment, DATABASE_URL: plane.databaseUrl, ...more },
      say: (line) => lines.push(JSON.parse(line)),
      send: async () => undefined,
      complain: (line) => complaints.push(line),
    },
  );
  return { code, lines, complaints: complaints.join('\n') };
};

const take = (type: string, object: object, ago = 0) => outcomeOf(plane.url, eventOf(type, object, ago));

describe('change-plan', () => {
  const change = async (workspaceId: string, plan?: string, status?: string) => {
    const flags = [...(plan ? ['--plan', plan] : []), ...(status ? ['--status', status] : [])];
    return (await run(['change-plan', '--workspace', workspaceId, ...flags])).lines;
  };

  test('emits each change in its transaction, and nothing if nothing changes', async () => {
    const { workspaceId, subscriptionId } = await plane.workspace({ plan: 'growth' });
    await change(workspaceId, 'growth');
    expect(await recordedTypes(plane.pool, workspaceId)).toEqual([]);
    expect(await change(workspaceId, 'business')).toMatchObject([
      { subscriptionId, plan: 'business', status: 'active' },
    ]);
    await change(workspaceId, 'business', 'past_due');
    await change(workspaceId, 'business', 'active');
    await change(workspaceId, 'free', 'cancelled');
    await change(workspaceId, 'free', 'active');
    expect(await recordedTypes(plane.pool, workspaceId)).toEqual([
      ...['plan_changed', 'payment_failed', 'renewed', 'cancelled', 'plan_changed', 'activated'],
    ]);
    const [first, ...rest] = await recordedOf(plane.pool, workspaceId);
    expect(first).toMatchObject({
      subject: { id: subscriptionId, version: 1 },
      data: {
        subscriptionId,
        plan: 'business',
        previousPlan: 'growth',
        status: 'active',
        currentPeriodStart: null,
        currentPeriodEnd: null,
        provider: 'operator',
      },
    });
    expect(rest.map(({ data, subject }) => `${data.plan} ${data.status} ${subject.version}`)).toEqual([
      ...[
        'business past_due 2',
        'business active 3',
        'free cancelled 4',
        'free cancelled 4',
        'free active 5',
      ],
    ]);
  });

  test('changes only the status if no plan is given', async () => {
    const { workspaceId, subscriptionId } = await plane.workspace({ plan: 'growth' });
    expect(await change(workspaceId, undefined, 'cancelled')).toMatchObject([
      { subscriptionId, plan: 'growth', status: 'cancelled' },
    ]);
    expect(await change(workspaceId, undefined, 'active')).toMatchObject([
      { plan: 'growth', status: 'active' },
    ]);
    expect(await recordedTypes(plane.pool, workspaceId)).toEqual(['cancelled', 'activated']);
  });

  test('takes effect at once in a running process', async () => {
    const { workspaceId, call } = await plane.workspace({ plan: 'free' });
    const makePage = () => call('POST', '/api/qr/landing-pages', { name: 'x' }).then(({ status }) => status);
    expect(await makePage()).toBe(403);
    await change(workspaceId, 'growth');
    // A process that is not notified would use its cached plan for ten seconds.
    await expect.poll(makePage, { timeout: 9_000, interval: 20 }).toBe(201);
  });
});

describe('link-subscription', () => {
  test('applies waiting events, and links later ones', async () => {
    const { workspaceId, subscriptionId } = await plane.workspace({ plan: 'free' });
    const id = newId('sub');
    await take('customer.subscription.created', subscriptionOf(id, 'active', 'price_growth'), 60);
    await take('invoice.paid', invoiceOf(id), 50);
    await take('invoice.payment_failed', invoiceOf(id), 40);
    const link = () => run(['link-subscription', '--workspace', workspaceId, '--stripe-subscription', id]);
    expect((await link()).lines).toMatchObject([
      { subscriptionId, stripeStatus: 'active', applied: 2, plan: 'growth', status: 'active' },
    ]);
    expect((await link()).lines).toMatchObject([{ applied: 0, plan: 'growth' }]);
    await take('customer.subscription.updated', subscriptionOf(id, 'active', 'price_business'));
    expect(await termsNow(plane.pool, subscriptionId)).toBe('business active');
    expect(await recordedTypes(plane.pool, workspaceId)).toEqual([
      'activated',
      'renewed',
      'payment_failed',
      'plan_changed',
    ]);
  });

  test('may come before the first event', async () => {
    const { workspaceId, subscriptionId } = await plane.workspace({ plan: 'free' });
    const id = newId('sub');
    const { lines } = await run([
      'link-subscription',
      '--workspace',
      workspaceId,
      '--stripe-subscription',
      id,
    ]);
    expect(lines).toMatchObject([{ stripeStatus: null, applied: 0, plan: 'free' }]);
    await take('customer.subscription.created', subscriptionOf(id, 'trialing', 'price_growth'));
    expect(await termsNow(plane.pool, subscriptionId)).toBe('growth active');
  });

  test('refuses a subscription linked to another workspace until that link is removed; then the plan stays', async () => {
    const [one, other] = [await plane.workspace({ plan: 'free' }), await plane.workspace({ plan: 'free' })];
    const id = newId('sub');
    const link = (workspaceId: string) =>
      run(['link-subscription', '--workspace', workspaceId, '--stripe-subscription', id]);
    await take('customer.subscription.created', subscriptionOf(id, 'active', 'price_growth'), 60);
    await link(one.workspaceId);
    expect(await link(other.workspaceId)).toMatchObject({
      code: 1,
      complaints: `${id} is linked to ${one.subscriptionId}; unlink-subscription removes that link`,
    });
    expect((await run(['unlink-subscription', '--stripe-subscription', id])).lines).toEqual([
      { stripeSubscription: id, subscriptionId: one.subscriptionId, linked: false },
    ]);
    await take('customer.subscription.deleted', subscriptionOf(id, 'canceled', 'price_growth'));
    expect(await termsNow(plane.pool, one.subscriptionId)).toBe('growth active');
    expect((await run(['unlink-subscription', '--stripe-subscription', id])).complaints).toBe(
      `There is no link of ${id}`,
    );
  });

  test.each([
    [
      ['link-subscription', '--workspace', 'ws_none', '--stripe-subscription', 'sub_1'],
      1,
      'There is no workspace ws_none',
    ],
    [
      ['link-subscription', '--workspace', 'ws_none', '--stripe-subscription', 'x'],
      2,
      '--stripe-subscription must be an id of Stripe such as sub_1AbC; given: "x"',
    ],
    [
      ['apply-billing-event', '--workspace', 'ws_none', '--event', 'evt_1'],
      1,
      'There is no workspace ws_none, or no payment',
    ],
  ])('%j is refused, naming the fault', async (args, code, message) => {
    const outcome = await run(args);
    expect(outcome.code).toBe(code);
    expect(outcome.complaints).toContain(message);
  });

  test('needs the same STRIPE_PRICES as the planes', async () => {
    const { workspaceId } = await plane.workspace();
    const args = ['link-subscription', '--workspace', workspaceId, '--stripe-subscription', 'sub_1'];
    expect(await run(args, { STRIPE_PRICES: '', STRIPE_WEBHOOK_SECRET: '' })).toMatchObject({
      code: 1,
      complaints: 'STRIPE_PRICES must be set, as the planes have it',
    });
  });
});

test('waiting events are listed with the reason, and a waiting payment is applied once to the named workspace', async () => {
  const { workspaceId } = await plane.workspace({ plan: 'free' });
  const event = eventOf('charge.refunded', {
    ...{ id: newId('ch'), amount: 500, amount_refunded: 500, currency: 'eur', customer: newId('cus') },
  });
  await outcomeOf(plane.url, event);
  const listed = async (...flags: string[]) =>
    (await run(['list-billing-events', ...flags])).lines.find(({ id }) => id === event.id);
  expect(await listed()).toMatchObject({
    type: 'charge.refunded',
    outcome: 'waiting',
    problem: 'it names no subscription or workspace of ours; admin apply-billing-event says whose it is',
  });
  const apply = () => run(['apply-billing-event', '--event', event.id, '--workspace', workspaceId]);
  expect((await apply()).lines).toMatchObject([{ event: event.id, kind: 'refunded' }]);
  expect((await apply()).code).toBe(1);
  expect(await recordedTypes(plane.pool, workspaceId)).toEqual(['refunded']);
  expect([await listed(), (await listed('--all'))?.outcome]).toEqual([undefined, 'applied']);
});

test('the subscriptions that Stripe has reported are listed', async () => {
  const id = newId('sub');
  await take('customer.subscription.created', subscriptionOf(id, 'active', 'price_growth'));
  const { lines } = await run(['list-billing-subscriptions']);
  expect(lines.find(({ stripeSubscription }) => stripeSubscription === id)).toMatchObject({
    subscriptionId: null,
    status: 'active',
    plan: 'growth',
    prices: ['price_growth', 'prod_of_price_growth'],
    currentPeriodEnd: '2026-06-04T12:00:00.000Z',
    cancelAtPeriodEnd: false,
  });
});
