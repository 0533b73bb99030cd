/** Stripe's events about a subscription, in each of its states and in any order, and the events that workspaces get. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../deploy/testing/index.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { readQuota } from '../serialized/store/quotas.ts';
import { recordedOf, recordedTypes, termsNow } from './testing/provider-events.ts';
import { recordedTable, recordingFeatures } from './testing/recording-plane.ts';
import {
  eventOf,
  invoiceOf,
  newId,
  outcomeOf,
  period,
  type StripeEvent,
  stripeEnvironment,
  subscriptionOf,
} from './testing/stripe.ts';

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

const take = (event: StripeEvent): Promise<string> => outcomeOf(plane.url, event);

/** A workspace on Free, and a Stripe subscription that names it. */
const customer = async () => {
  const workspace = await plane.workspace({ plan: 'free' });
  const id = newId('sub');
  const metadata = { workspaceId: workspace.workspaceId };
  const tell = (kind: string, status: string, price: string, ago = 0, more: object = {}) =>
    take(
      eventOf(`customer.subscription.${kind}`, subscriptionOf(id, status, price, { metadata, ...more }), ago),
    );
  const { pool } = plane;
  return {
    ...workspace,
    id,
    metadata,
    tell,
    invoice: (type: string, more: object = {}, ago = 0) =>
      take(eventOf(`invoice.${type}`, invoiceOf(id, more), ago)),
    types: () => recordedTypes(pool, workspace.workspaceId),
    terms: () => termsNow(pool, workspace.subscriptionId),
  };
};

const waiting = async (id: string) => {
  const { rows } = await plane.pool.query<{ outcome: string; problem: string }>(
    'SELECT outcome, problem FROM billing_events WHERE provider_subscription = $1 ORDER BY happened_at',
    [id],
  );
  return rows;
};

describe('the states of a subscription', () => {
  test('a trial activates it, and its first payment renews it', async () => {
    const { tell, invoice, types, terms } = await customer();
    expect(await tell('created', 'trialing', 'price_growth', 60)).toBe('applied');
    expect(await terms()).toBe('growth active');
    expect(await tell('updated', 'active', 'price_growth', 30)).toBe('noted');
    expect(await invoice('paid')).toBe('applied');
    expect(await types()).toEqual(['activated', 'renewed']);
  });

  test('an incomplete one gives nothing until its first payment, or ever without one', async () => {
    const { tell, types, terms } = await customer();
    await tell('created', 'incomplete', 'price_growth', 60);
    expect(await terms()).toBe('free active');
    await tell('updated', 'active', 'price_growth', 50);
    expect(await terms()).toBe('growth active');
    expect(await types()).toEqual(['activated']);

    const other = await customer();
    await other.tell('created', 'incomplete', 'price_growth', 60);
    await other.tell('updated', 'incomplete_expired', 'price_growth', 50);
    expect([await other.terms(), await other.types()]).toEqual(['free active', []]);
  });

  test('a failed payment is reported once per attempt; the plan stays while it is due, until a payment settles it', async () => {
    const { tell, invoice, types, terms, workspaceId } = await customer();
    await tell('created', 'active', 'price_growth', 90);
    const due = { id: newId('in') };
    expect(await invoice('payment_failed', due, 80)).toBe('applied');
    expect(await invoice('payment_failed', due, 80)).toBe('repeated');
    await tell('updated', 'past_due', 'price_growth', 80);
    expect(await terms()).toBe('growth past_due');
    await invoice('payment_failed', { ...due, attempt_count: 2 }, 70);
    await tell('updated', 'active', 'price_growth', 60);
    expect(await invoice('paid', due, 60)).toBe('applied');
    expect(await invoice('payment_succeeded', due, 60)).toBe('repeated');
    expect(await terms()).toBe('growth active');
    expect(await types()).toEqual(['activated', 'payment_failed', 'payment_failed', 'renewed']);
    expect((await recordedOf(plane.pool, workspaceId)).map(({ data }) => data.status)).toEqual([
      ...['active', 'past_due', 'past_due', 'active'],
    ]);
  });

  test('an unpaid one leaves the plan free, and a late payment activates it again', async () => {
    const { tell, types, terms } = await customer();
    await tell('created', 'active', 'price_growth', 90);
    await tell('updated', 'unpaid', 'price_growth', 80);
    expect(await terms()).toBe('free active');
    await tell('updated', 'active', 'price_growth', 70);
    expect(await terms()).toBe('growth active');
    expect(await types()).toEqual(['activated', 'cancelled', 'activated']);
  });

  test('one set to end with its period stays until then; its end leaves the plan free, and the keys work', async () => {
    const { tell, types, terms, call, createCode, workspaceId } = await customer();
    await tell('created', 'active', 'price_business', 90);
    const { id } = await createCode();
    expect(await tell('updated', 'active', 'price_business', 80, { cancel_at_period_end: true })).toBe(
      'noted',
    );
    expect(await terms()).toBe('business active');
    expect(await tell('deleted', 'canceled', 'price_business', 70)).toBe('applied');
    expect(await terms()).toBe('free active');
    expect(await types()).toEqual(['activated', 'cancelled']);
    expect((await recordedOf(plane.pool, workspaceId)).at(-1)!.data).toMatchObject({
      plan: 'free',
      status: 'cancelled',
    });
    expect((await call('GET', `/api/qr/codes/${id}`)).status).toBe(200);
  });

  test('a second subscription is in effect, even if the end of the first arrives last', async () => {
    const { tell, types, terms, metadata } = await customer();
    await tell('created', 'active', 'price_starter', 90);
    const again = subscriptionOf(newId('sub'), 'active', 'price_growth', { metadata });
    await take(eventOf('customer.subscription.created', again, 60));
    expect(await terms()).toBe('growth active');
    await tell('deleted', 'canceled', 'price_starter', 70);
    expect(await terms()).toBe('growth active');
    expect(await types()).toEqual(['activated', 'plan_changed']);
  });

  test('a change of its price changes the plan, and reports the previous plan', async () => {
    const { tell, terms, workspaceId, subscriptionId } = await customer();
    await tell('created', 'active', 'price_starter', 90);
    await tell('updated', 'active', 'price_business', 80);
    expect(await terms()).toBe('business active');
    expect((await recordedOf(plane.pool, workspaceId)).at(-1)).toMatchObject({
      type: 'subscription.plan_changed',
      subject: { id: subscriptionId },
      data: {
        subscriptionId,
        plan: 'business',
        previousPlan: 'starter',
        status: 'active',
        currentPeriodStart: period.current_period_start * 1_000,
        currentPeriodEnd: period.current_period_end * 1_000,
        provider: 'stripe',
      },
    });
  });

  test('a smaller plan removes nothing: resources over its quota stay, but new ones are refused', async () => {
    const { tell, types, call, createCode, workspaceId } = await customer();
    await tell('created', 'active', 'price_starter', 90);
    const { id } = await createCode();
    await plane.pool.query(
      `INSERT INTO codes (id, workspace_id, data_type, destination)
       SELECT 'x' || n, $1, 'url', 'https://example.com/' FROM generate_series(1, 249) n`,
      [workspaceId],
    );
    await createCode();
    await tell('deleted', 'canceled', 'price_starter', 80);
    expect(await types()).toEqual(['activated', 'cancelled']);
    await expect
      .poll(async () => (await call('POST', '/api/qr/codes', { data: 'https://example.com/' })).status)
      .toBe(429);
    const kept = await call('GET', `/api/qr/codes/${id}`);
    expect(kept.body).toMatchObject({ id, status: 'active' });
  });

  test('every workspace of the subscription gets an event of its own', async () => {
    const { tell, subscriptionId, workspaceId } = await customer();
    await plane.pool.query(`INSERT INTO workspaces (id, subscription_id, name) VALUES ($1, $2, 'second')`, [
      `ws_second${workspaceId}`,
      subscriptionId,
    ]);
    await tell('created', 'active', 'price_growth');
    const [first] = await recordedOf(plane.pool, workspaceId);
    const [second] = await recordedOf(plane.pool, `ws_second${workspaceId}`);
    const { id, ...event } = second!;
    expect(id).not.toBe(first!.id);
    expect({ ...event, workspaceId }).toEqual({ ...first, id: undefined });
    expect([first!.type, second!.workspaceId]).toEqual(['subscription.activated', `ws_second${workspaceId}`]);
  });
});

test('a webhook subscribed to them gets the events that follow from Stripe’s', async () => {
  const { tell, workspaceId, subscriptionId } = await customer();
  // Paused, so that nothing is sent here.
  await plane.pool.query(
    `INSERT INTO webhooks (id, workspace_id, url, events, secret, status, paused_reason, paused_at)
     VALUES ('wh_' || $1, $1, 'http://127.0.0.1:1/', '{subscription.activated}', '', 'paused', 'owner', now())`,
    [workspaceId],
  );
  await tell('created', 'active', 'price_growth');
  const { rows } = await plane.pool.query(
    `SELECT e.type, e.data FROM webhook_queue q JOIN webhook_events e ON e.id = q.event_id WHERE q.webhook_id = 'wh_' || $1`,
    [workspaceId],
  );
  expect(rows).toEqual([
    {
      type: 'subscription.activated',
      data: {
        subscriptionId,
        plan: 'growth',
        status: 'active',
        currentPeriodStart: period.current_period_start * 1_000,
        currentPeriodEnd: period.current_period_end * 1_000,
        provider: 'stripe',
      },
    },
  ]);
});

describe('the order of deliveries', () => {
  test('an older event never sets the state back', async () => {
    const { tell, types, terms } = await customer();
    await tell('updated', 'past_due', 'price_business', 60);
    expect(await tell('created', 'active', 'price_growth', 90)).toBe('stale');
    expect(await tell('updated', 'active', 'price_growth', 70)).toBe('stale');
    expect(await terms()).toBe('business past_due');
    await tell('deleted', 'canceled', 'price_business', 50);
    expect(await tell('updated', 'active', 'price_business', 50)).toBe('stale');
    expect([await terms(), await types()]).toEqual(['free active', ['activated', 'cancelled']]);
  });

  test('a repeated event is applied once', async () => {
    const { id, metadata, types } = await customer();
    const event = eventOf(
      'customer.subscription.created',
      subscriptionOf(id, 'active', 'price_growth', { metadata }),
    );
    expect(await Promise.all(Array.from({ length: 6 }, () => take(event))).then((all) => all.sort())).toEqual(
      [...['applied', ...Array.from({ length: 5 }, () => 'repeated')]],
    );
    expect(await types()).toEqual(['activated']);
  });

  test('events of a whole life end in the same state, whatever their order', async () => {
    const life = [
      ['created', 'incomplete', 'price_starter', 90],
      ['updated', 'active', 'price_starter', 80],
      ['updated', 'active', 'price_growth', 70],
      ['updated', 'past_due', 'price_growth', 60],
      ['updated', 'active', 'price_business', 50],
    ] as const;
    for (let shift = 0; shift < life.length; shift++) {
      const { tell, terms } = await customer();
      const order = [...life.slice(shift), ...life.slice(0, shift).reverse()];
      await Promise.all(order.map(([kind, status, price, ago]) => tell(kind, status, price, ago)));
      expect([shift, await terms()]).toEqual([shift, 'business active']);
    }
  });
});

describe('unknown links and prices', () => {
  test('events of a subscription without a link are kept, and applied when the checkout names the workspace', async () => {
    const { workspaceId } = await plane.workspace({ plan: 'free' });
    const id = newId('sub');
    await take(eventOf('customer.subscription.created', subscriptionOf(id, 'active', 'price_growth'), 90));
    await take(eventOf('invoice.paid', invoiceOf(id), 80));
    await take(eventOf('customer.subscription.updated', subscriptionOf(id, 'active', 'price_business'), 70));
    expect(await waiting(id)).toEqual(
      Array.from({ length: 3 }, () => ({
        outcome: 'waiting',
        problem: expect.stringContaining(`admin link-subscription --stripe-subscription ${id}`),
      })),
    );
    const session = {
      id: newId('cs'),
      mode: 'subscription',
      subscription: id,
      client_reference_id: workspaceId,
    };
    expect(await take(eventOf('checkout.session.completed', session))).toBe('applied');
    expect(await recordedTypes(plane.pool, workspaceId)).toEqual(['activated', 'renewed']);
    expect((await recordedOf(plane.pool, workspaceId))[0]!.data.plan).toBe('business');
    expect((await waiting(id)).map(({ outcome }) => outcome)).toEqual([
      'applied',
      'applied',
      'applied',
      'applied',
    ]);
  });

  test('an unknown id is kept with its event', async () => {
    const id = newId('sub');
    const metadata = { subscriptionId: 'sub_of_nobody' };
    await take(
      eventOf('customer.subscription.created', subscriptionOf(id, 'active', 'price_growth', { metadata })),
    );
    expect(await waiting(id)).toEqual([
      {
        outcome: 'waiting',
        problem: expect.stringMatching(/^there is no subscription or workspace sub_of_nobody;/),
      },
    ]);
  });

  test('a price that is not configured changes no plan, and is named; other changes take effect', async () => {
    const { id, tell, terms, types } = await customer();
    expect(await tell('created', 'active', 'price_of_nothing', 90)).toBe('waiting');
    expect(await waiting(id)).toEqual([
      { outcome: 'waiting', problem: 'STRIPE_PRICES has none of price_of_nothing, prod_of_price_of_nothing' },
    ]);
    expect([await terms(), await types()]).toEqual(['free active', []]);
    await tell('updated', 'active', 'price_growth', 80);
    expect((await waiting(id)).map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
    expect(await tell('updated', 'past_due', 'price_of_nothing', 70)).toBe('waiting');
    expect(await terms()).toBe('growth past_due');
    await tell('deleted', 'canceled', 'price_of_nothing', 60);
    expect([await terms(), await types()]).toEqual(['free active', ['activated', 'cancelled']]);
  });

  test('a process that knows the price applies the plan when it starts', async () => {
    const { tell, terms, types } = await customer();
    await tell('created', 'active', 'price_new', 90);
    const { STRIPE_PRICES } = stripeEnvironment;
    const { databaseUrl, redisUrl, clickhouseUrl } = plane;
    const environment = { ...stripeEnvironment, STRIPE_PRICES: `${STRIPE_PRICES},price_new=business` };
    await startTestControlPlane({
      databaseUrl,
      redisUrl,
      clickhouseUrl,
      features: recordingFeatures,
      environment,
    });
    expect([await terms(), await types()]).toEqual(['business active', ['activated']]);
  });

  test('an event that lacks fields of its type is kept and named, and later ones are applied', async () => {
    const broken = eventOf('customer.subscription.updated', { id: newId('sub'), status: 'active' });
    expect(await take(broken)).toBe('unreadable');
    const { rows } = await plane.pool.query('SELECT outcome, problem FROM billing_events WHERE id = $1', [
      broken.id,
    ]);
    expect(rows).toEqual([{ outcome: 'unreadable', problem: 'data.object.items is required' }]);
    expect(await take(broken)).toBe('repeated');
    const { tell } = await customer();
    expect(await tell('created', 'active', 'price_growth')).toBe('applied');
  });

  test('events of other types and of connected accounts are ignored', async () => {
    expect(await take(eventOf('customer.tax_id.created', { id: 'txi_1' }))).toBe('ignored');
    const { id, metadata, types } = await customer();
    const event = eventOf(
      'customer.subscription.created',
      subscriptionOf(id, 'active', 'price_growth', { metadata }),
    );
    expect(await take({ ...event, ...{ account: 'acct_1' } })).toBe('ignored');
    expect(await types()).toEqual([]);
  });
});

describe('the decisions of an operator', () => {
  const set = (workspace: Workspace, plan: string, status = 'active') =>
    plane.pool.query('UPDATE subscriptions SET plan = $2, status = $3 WHERE id = $1', [
      workspace.subscriptionId,
      plan,
      status,
    ]);

  test('a subscription cancelled by the operator stays cancelled, whatever is paid', async () => {
    const { tell, invoice, terms, ...workspace } = await customer();
    await tell('created', 'active', 'price_growth', 90);
    await set(workspace, 'growth', 'cancelled');
    await tell('updated', 'active', 'price_business', 80);
    await invoice('paid');
    expect(await terms()).toBe('business cancelled');
  });

  test('the end of a subscription removes only the plan that it gave', async () => {
    const { tell, terms, ...workspace } = await customer();
    await tell('created', 'active', 'price_growth', 90);
    await set(workspace, 'enterprise');
    await tell('updated', 'active', 'price_growth', 80, { cancel_at_period_end: true });
    expect(await terms()).toBe('enterprise active');
    await tell('deleted', 'canceled', 'price_growth', 70);
    expect(await terms()).toBe('enterprise active');
  });
});

describe('refunds and blocks of codes', () => {
  const charge = (id: string, refunded: number, more: object = {}) => ({
    id,
    amount: 5_000,
    amount_refunded: refunded,
    currency: 'eur',
    ...more,
  });

  test('each refund is reported with its own amount, in any order, and changes no plan', async () => {
    const { id, tell, types, terms, workspaceId } = await customer();
    await tell('created', 'active', 'price_growth', 90);
    const paid = { customer: `cus_of_${id}` };
    const ch = newId('ch');
    const whole = eventOf('charge.refunded', charge(ch, 5_000, paid), 10, { amount_refunded: 1_200 });
    expect(await take(whole)).toBe('applied');
    expect(await take(eventOf('charge.refunded', charge(ch, 1_200, paid), 20, { amount_refunded: 0 }))).toBe(
      'applied',
    );
    expect(await take({ ...whole, id: newId('evt') })).toBe('repeated');
    expect([await terms(), await types()]).toEqual(['growth active', ['activated', 'refunded', 'refunded']]);
    expect(
      (await recordedOf(plane.pool, workspaceId)).slice(1).map(({ data }) => [data.amount, data.currency]),
    ).toEqual([
      [3_800, 'eur'],
      [1_200, 'eur'],
    ]);
  });

  test('a refund of an unknown customer waits for the link of that customer', async () => {
    const { id, tell, types } = await customer();
    const refund = charge(newId('ch'), 5_000, { customer: `cus_of_${id}` });
    expect(await take(eventOf('charge.refunded', refund, 10))).toBe('waiting');
    await tell('created', 'active', 'price_growth', 90);
    expect(await types()).toEqual(['activated', 'refunded']);
  });

  const checkout = (type: string, payment: string, metadata: object, more: object = {}) =>
    take(
      eventOf(`checkout.session.${type}`, {
        id: newId('cs'),
        mode: 'payment',
        payment_status: 'paid',
        payment_intent: payment,
        metadata,
        ...more,
      }),
    );

  test('a paid block of serialized items is granted once, and taken back if it is fully refunded', async () => {
    const { workspaceId, subscriptionId } = await plane.workspace({ plan: 'business' });
    const [payment, metadata] = [newId('pi'), { workspaceId, serializedCodes: '5000' }];
    expect(await checkout('completed', payment, metadata, { payment_status: 'unpaid' })).toBe('ignored');
    expect(await checkout('async_payment_succeeded', payment, metadata)).toBe('applied');
    expect(await checkout('completed', payment, metadata)).toBe('repeated');
    const purchased = async () => (await readQuota(plane.pool, subscriptionId)).purchased;
    expect(await purchased()).toBe(5_000);
    const refund = (refunded: number, before: number) =>
      take(
        eventOf('charge.refunded', charge('ch_block', refunded, { payment_intent: payment }), 0, {
          amount_refunded: before,
        }),
      );
    await refund(2_000, 0);
    expect(await purchased()).toBe(5_000);
    await refund(5_000, 2_000);
    expect(await purchased()).toBe(0);
    expect(await recordedTypes(plane.pool, workspaceId)).toEqual(['refunded', 'refunded']);
  });

  test.each([
    ['before it is granted, for an unknown customer', undefined],
    ['before it is granted, for a known customer', newId('cus')],
  ])('a block refunded %s, is not granted', async (_, known) => {
    const { workspaceId, subscriptionId } = await plane.workspace({ plan: 'business' });
    const payment = newId('pi');
    if (known) {
      const linked = subscriptionOf(newId('sub'), 'active', 'price_business', {
        customer: known,
        metadata: { workspaceId },
      });
      await take(eventOf('customer.subscription.created', linked, 60));
    }
    const refund = charge(newId('ch'), 5_000, { payment_intent: payment, customer: known });
    expect(await take(eventOf('charge.refunded', refund))).toBe(known ? 'applied' : 'waiting');
    expect(await checkout('completed', payment, { workspaceId, serializedCodes: '7' })).toBe('applied');
    expect((await readQuota(plane.pool, subscriptionId)).purchased).toBe(0);
    expect((await recordedTypes(plane.pool, workspaceId)).filter((type) => type === 'refunded')).toHaveLength(
      1,
    );
    const { rows } = await plane.pool.query(
      `SELECT outcome FROM billing_events WHERE moment ->> 'kind' = 'refunded' AND moment ->> 'payment' = $1`,
      [payment],
    );
    expect(rows).toEqual([{ outcome: 'applied' }]);
  });

  test.each([
    ['a workspace', { workspaceId: 'ws_nope' }, 'ws_nope'],
    ['a subscription', { subscriptionId: 'sub_nope' }, 'sub_nope'],
    ['in words', { workspaceId: 'ws nope' }, "'ws nope'"],
  ])(
    'a block that names an unknown id (%s) waits, even if its customer pays for another subscription, now or later',
    async (_, named, shown) => {
      const { workspaceId, subscriptionId } = await plane.workspace({ plan: 'business' });
      const known = newId('cus');
      const pay = (kind: string) => {
        const linked = subscriptionOf(newId('sub'), 'active', 'price_business', {
          customer: known,
          metadata: { workspaceId },
        });
        return take(eventOf(`customer.subscription.${kind}`, linked, 60));
      };
      expect(await pay('created')).toBe('applied');
      const payment = newId('pi');
      const metadata = { ...named, serializedCodes: '7' };
      expect(await checkout('completed', payment, metadata, { customer: known })).toBe('waiting');
      await pay('created');
      const { rows } = await plane.pool.query(
        `SELECT outcome, problem FROM billing_events WHERE moment ->> 'payment' = $1`,
        [payment],
      );
      expect(rows).toEqual([
        {
          outcome: 'waiting',
          problem: `there is no subscription or workspace ${shown}; admin apply-billing-event says whose it is`,
        },
      ]);
      expect((await readQuota(plane.pool, subscriptionId)).purchased).toBe(0);
    },
  );

  test('a block without a valid number is kept as unreadable', async () => {
    const { workspaceId } = await plane.workspace();
    expect(await checkout('completed', newId('pi'), { workspaceId, serializedCodes: 'many' })).toBe(
      'unreadable',
    );
  });
});

describe('GET /api/subscription', () => {
  test('says plan, status, period, limits and use of the key’s subscription', async () => {
    const { call, createCode, subscriptionId, tell } = await customer();
    const free = await call('GET', '/api/subscription');
    expect(free).toMatchObject({
      status: 200,
      body: { subscriptionId, plan: 'free', status: 'active', currentPeriodEnd: null, capabilities: [] },
    });
    await tell('created', 'active', 'price_growth');
    await createCode();
    const read = async () => (await call('GET', '/api/subscription')).body;
    await expect.poll(read).toMatchObject({
      plan: 'growth',
      status: 'active',
      currentPeriodStart: period.current_period_start * 1_000,
      currentPeriodEnd: period.current_period_end * 1_000,
      cancelAtPeriodEnd: false,
      capabilities: ['landingPages', 'forms'],
      quotas: {
        apiCalls: { limit: 1_000_000, period: 'month', resetsAt: expect.any(Number) },
        dynamicQr: { limit: 50_000, used: 1, remaining: 49_999, period: 'lifetime', resetsAt: null },
        bulkOrders: { limit: 100, used: 0, remaining: 100, period: 'day' },
      },
    });
    await tell('updated', 'past_due', 'price_growth', -1, { cancel_at_period_end: true });
    await expect.poll(read).toMatchObject({ status: 'past_due', cancelAtPeriodEnd: true });
  });

  test('counts the codes of a plan without limits', async () => {
    const { call, createCode } = await plane.workspace({ plan: 'enterprise', limits: {} });
    await createCode();
    expect((await call('GET', '/api/subscription')).body).toMatchObject({
      quotas: { dynamicQr: { limit: null, used: 1, remaining: null } },
    });
  });
});
