/** The values of STRIPE_WEBHOOK_SECRET and STRIPE_PRICES. */
import { z } from 'zod';
import { type Plan, plan } from '#schemas/api/plans.ts';

/** The current and the previous one, and more in case of repeated rotations. */
const secretsMax = 5;
const pricesMax = 1_000;

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** A wrong secret is identified by its number: messages must not contain secrets. */
const faultOfSecrets = (secrets: readonly string[]): string | undefined => {
  if (secrets.length === 0) return 'it has none';
  if (secrets.length > secretsMax) return `it has ${secrets.length}`;
  const wrong = secrets.findIndex((secret) => !/^whsec_[\w+/=-]{16,200}$/.test(secret));
  if (wrong === -1) return undefined;
  return `number ${wrong + 1} is none`;
};

export const stripeWebhookSecrets = z.string().transform((text, context): string[] => {
  const secrets = partsOf(text);
  const fault = faultOfSecrets(secrets);
  if (fault === undefined) return secrets;
  context.addIssue({
    code: 'custom',
    message: `must be 1 to ${secretsMax} signing secrets, each whsec_ and 16 to 200 letters, digits, +, /, =, _ or -, separated by commas; ${fault}`,
  });
  return z.NEVER;
});

/** @returns the price and its plan, or the fault of the part */
const readPrice = (part: string): [price: string, plan: Plan] | string => {
  const at = part.lastIndexOf('=');
  const price = part.slice(0, Math.max(0, at)).trim();
  if (!/^[\w.-]{1,255}$/.test(price)) return `${JSON.stringify(part)} has no price before an equals sign`;
  const named = plan.safeParse(part.slice(at + 1).trim());
  if (named.success) return [price, named.data];
  return `${JSON.stringify(part)} names no plan; plans are ${plan.options.join(', ')}`;
};

const readPrices = (text: string): Map<string, Plan> | string => {
  const parts = partsOf(text);
  if (parts.length > pricesMax) return `it has ${parts.length}, and at most ${pricesMax} are read`;
  const prices = new Map<string, Plan>();
  for (const part of parts) {
    const read = readPrice(part.slice(0, 300));
    if (typeof read === 'string') return read;
    if (prices.has(read[0])) return `${JSON.stringify(read[0])} is there twice`;
    prices.set(...read);
  }
  return prices;
};

/** Plans by price, lookup key or product. */
export const stripePrices = z.string().transform((text, context): ReadonlyMap<string, Plan> => {
  const read = readPrices(text);
  if (typeof read !== 'string') return read;
  context.addIssue({
    code: 'custom',
    message: `must be prices and their plans such as price_1AbC=growth, separated by commas; ${read}`,
  });
  return z.NEVER;
});
