import { expect, test } from 'vitest';
import { loadSettings } from '../config.ts';

const secret = 'whsec_0123456789abcdef';
const prices = 'price_1=growth, prod_2=business';

test('several secrets are valid during a rotation, and prices, lookup keys and products have plans', () => {
  const { stripe } = loadSettings({ STRIPE_WEBHOOK_SECRET: `${secret},${secret}2`, STRIPE_PRICES: prices });
  expect(stripe.webhookSecrets).toEqual([secret, `${secret}2`]);
  expect([...stripe.plans]).toEqual([
    ['price_1', 'growth'],
    ['prod_2', 'business'],
  ]);
  expect(loadSettings({}).stripe).toEqual({ webhookSecrets: [], plans: new Map() });
});

test.each([
  [
    { STRIPE_WEBHOOK_SECRET: `${secret},sk_live_123` },
    /^STRIPE_WEBHOOK_SECRET must be 1 to 5 signing secrets, each whsec_ and 16 to 200 letters, digits, .* number 2 .*given: 34 characters$/,
  ],
  [
    { STRIPE_WEBHOOK_SECRET: Array(6).fill(secret).join() },
    /^STRIPE_WEBHOOK_SECRET .* 1 to 5 signing secrets, .* it has 6/,
  ],
  [
    { STRIPE_PRICES: 'price_1=gold' },
    /^STRIPE_PRICES must be prices .*"price_1=gold" names no plan; plans are free, starter, /,
  ],
  [{ STRIPE_PRICES: 'growth' }, /^STRIPE_PRICES .*"growth" has no price before an equals sign/],
  [{ STRIPE_PRICES: 'price_1=growth,price_1=free' }, /^STRIPE_PRICES .*"price_1" is there twice/],
])('%o is refused, and what is wrong is named', (env, message) => {
  expect(() => loadSettings({ STRIPE_WEBHOOK_SECRET: secret, STRIPE_PRICES: prices, ...env })).toThrow(
    message,
  );
});

test('one without the other is refused', () => {
  expect(() => loadSettings({ STRIPE_PRICES: prices })).toThrow(
    /^STRIPE_WEBHOOK_SECRET must be set where STRIPE_PRICES is/,
  );
  expect(() => loadSettings({ STRIPE_WEBHOOK_SECRET: secret })).toThrow(
    /^STRIPE_PRICES must be set where STRIPE_WEBHOOK_SECRET is/,
  );
});
