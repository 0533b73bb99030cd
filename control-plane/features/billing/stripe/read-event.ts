/** Turns an event of Stripe into our terms, as a pure function. Other types of events are ignored. */
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { inWords } from '../../../api/http/validation.ts';
import type { Moment, ProviderEvent, Reading } from '../provider-event.ts';
import {
  chargeFields,
  eventEnvelope,
  invoiceFields,
  previousRefunds,
  previousStatus,
  sessionFields,
  subscriptionFields,
} from './fields.ts';

type Event = z.output<typeof eventEnvelope>;
/** The parts that differ by type. */
type Content = Pick<ProviderEvent, 'providerSubscription' | 'customer' | 'named'> &
  Partial<Pick<ProviderEvent, 'effect' | 'snapshot' | 'moment'>>;
type Metadata = z.output<typeof sessionFields>['metadata'];

/** More than any subscription buys at once. */
const blockItemsMax = 100_000_000;

/** The fault of an unreadable event, for the operator. */
class UnreadableError extends Error {
  override name = 'UnreadableError';
}

const idOfOurs = (value: unknown): string | null =>
  typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : null;

/** A value that cannot be an id of ours still counts as a name: an unknown one. */
const misnamed = (value: unknown): string | null => (value ? quoted(value) : null);

const namedIn = (metadata: Metadata, otherwise?: string | null): string | null => {
  const { subscriptionId, workspaceId } = metadata ?? {};
  const id = idOfOurs(subscriptionId) ?? idOfOurs(workspaceId);
  return id ?? misnamed(subscriptionId) ?? misnamed(workspaceId) ?? idOfOurs(otherwise);
};

const milliseconds = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : seconds * 1_000;

const least = (numbers: readonly (number | null | undefined)[]): number | null => {
  const given = numbers.filter((each) => typeof each === 'number');
  return given.length === 0 ? null : Math.min(...given);
};

const greatest = (numbers: readonly (number | null | undefined)[]): number | null => {
  const given = numbers.filter((each) => typeof each === 'number');
  return given.length === 0 ? null : Math.max(...given);
};

const wordsOf = (price: NonNullable<z.output<typeof subscriptionFields>['items']['data'][number]['price']>) =>
  [price.id, price.lookup_key, price.product].filter((each) => typeof each === 'string');

const readSubscription = ({ type, data }: Event): Content => {
  const { id, customer, items, metadata, ...rest } = subscriptionFields.parse(data.object, {
    error: inWords,
  });
  return {
    providerSubscription: id,
    customer: customer ?? null,
    named: namedIn(metadata),
    snapshot: {
      status: rest.status,
      previousStatus: previousStatus.safeParse(data.previous_attributes).data?.status,
      isFirst: type === 'customer.subscription.created',
      prices: items.data.flatMap(({ price, plan }) =>
        [price, plan].flatMap((each) => (each ? wordsOf(each) : [])),
      ),
      currentPeriodStart: milliseconds(
        rest.current_period_start ?? least(items.data.map((item) => item.current_period_start)),
      ),
      currentPeriodEnd: milliseconds(
        rest.current_period_end ?? greatest(items.data.map((item) => item.current_period_end)),
      ),
      cancelAtPeriodEnd: rest.cancel_at_period_end ?? false,
    },
  };
};

/** @throws {UnreadableError} */
const itemsOf = (given: unknown): number => {
  const items = typeof given === 'string' && /^[1-9]\d{0,8}$/.test(given) ? Number(given) : Number.NaN;
  if (items <= blockItemsMax) return items;
  throw new UnreadableError(
    `metadata.serializedCodes must be a whole number from 1 to ${blockItemsMax}; given: ${quoted(given)}`,
  );
};

const isPaid = (status: string | null | undefined): boolean =>
  status === 'paid' || status === 'no_payment_required';

const readSession = ({ data }: Event): Content | undefined => {
  const session = sessionFields.parse(data.object, { error: inWords });
  const { mode, metadata, customer = null } = session;
  const named = namedIn(metadata, session.client_reference_id);
  if (mode === 'subscription') return { providerSubscription: session.subscription ?? null, customer, named };
  const bought = metadata?.serializedCodes;
  if (mode !== 'payment' || bought === undefined || !isPaid(session.payment_status)) return undefined;
  const payment = session.payment_intent ?? session.id;
  return {
    providerSubscription: null,
    customer,
    named,
    effect: `block ${payment}`,
    moment: { kind: 'block', payment, items: itemsOf(bought) },
  };
};

const readInvoice =
  (happened: (invoice: z.output<typeof invoiceFields>) => { effect: string; moment: Moment } | undefined) =>
  ({ data }: Event): Content | undefined => {
    const invoice = invoiceFields.parse(data.object, { error: inWords });
    const details = invoice.parent?.subscription_details ?? invoice.subscription_details;
    const providerSubscription = invoice.subscription ?? details?.subscription ?? null;
    if (providerSubscription === null) return undefined;
    const { customer = null } = invoice;
    return { providerSubscription, customer, named: namedIn(details?.metadata), ...happened(invoice) };
  };

/** The period that a renewal begins is on its latest line: earlier lines settle the past. */
const readPaid = readInvoice((invoice) => {
  if (invoice.billing_reason !== 'subscription_cycle') return undefined;
  const periods = (invoice.lines?.data ?? []).flatMap(({ period }) => (period ? [period] : []));
  const latest = periods.toSorted((a, b) => b.end - a.end)[0];
  return {
    effect: `renewed ${invoice.id}`,
    moment: {
      kind: 'renewed',
      periodStart: milliseconds(latest?.start),
      periodEnd: milliseconds(latest?.end),
    },
  };
});

const readFailed = readInvoice(({ id, attempt_count }) => ({
  effect: `payment_failed ${id} ${attempt_count ?? 0}`,
  moment: { kind: 'payment_failed' },
}));

const readRefund = ({ data }: Event): Content | undefined => {
  const charge = chargeFields.parse(data.object, { error: inWords });
  const before = previousRefunds.safeParse(data.previous_attributes).data?.amount_refunded ?? 0;
  const amount = charge.amount_refunded - before;
  if (amount <= 0) return undefined;
  const { customer = null, payment_intent: payment = null, currency } = charge;
  return {
    providerSubscription: null,
    customer,
    named: namedIn(charge.metadata),
    effect: `refunded ${charge.id} ${charge.amount_refunded}`,
    moment: { kind: 'refunded', amount, currency, isWhole: charge.amount_refunded >= charge.amount, payment },
  };
};

const readers: Readonly<Record<string, (event: Event) => Content | undefined>> = {
  'customer.subscription.created': readSubscription,
  'customer.subscription.updated': readSubscription,
  'customer.subscription.deleted': readSubscription,
  'customer.subscription.paused': readSubscription,
  'customer.subscription.resumed': readSubscription,
  'checkout.session.completed': readSession,
  'checkout.session.async_payment_succeeded': readSession,
  'invoice.paid': readPaid,
  'invoice.payment_succeeded': readPaid,
  'invoice.payment_failed': readFailed,
  'charge.refunded': readRefund,
};

/** The event types that are read. */
export const typesRead = Object.keys(readers);

const problemOf = (error: unknown): string => {
  if (error instanceof UnreadableError) return error.message;
  if (!(error instanceof z.ZodError)) throw error;
  const [issue] = error.issues;
  return `${['data.object', ...(issue?.path ?? [])].join('.')} ${issue?.message}`.slice(0, 300);
};

/**
 * @param given an event whose signature was checked
 * @throws {ClientError} UNPROCESSABLE if it is not an event at all
 */
export const readStripeEvent = (given: unknown): Reading => {
  const envelope = eventEnvelope.safeParse(given, { error: inWords });
  if (!envelope.success) {
    const [issue] = envelope.error.issues;
    throw new ClientError(
      'UNPROCESSABLE',
      `The body is no event of Stripe: ${issue?.path.join('.') || 'it'} ${issue?.message}`,
    );
  }
  const event = envelope.data;
  const { id, type } = event;
  const happenedAt = event.created * 1_000;
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  // The owner of a connected account could write any metadata there.
  if (!read || event.account) return { kind: 'ignored' };
  try {
    const content = read(event);
    if (!content) return { kind: 'ignored' };
    return {
      kind: 'read',
      event: { id, type, happenedAt, effect: null, snapshot: undefined, moment: undefined, ...content },
    };
  } catch (error) {
    return { kind: 'unreadable', unreadable: { id, type, happenedAt, problem: problemOf(error) } };
  }
};
