/** Operator verbs about plans and their payments. */
import { plan, subscriptionStatus } from '#schemas/api/plans.ts';
import { ConfigError } from '#shared/config.ts';
import {
  type AdminContext,
  NothingFound,
  oneOf,
  requireFlag,
  UsageError,
  type Verb,
} from '../../framework/verb.ts';
import { summaryOf } from '../tenancy/verbs.ts';
import type { Billing } from './apply-event.ts';
import { changePlan } from './change-plan.ts';
import { applyEventTo, linkSubscription, unlinkSubscription } from './links.ts';
import { listEvents } from './store/events.ts';
import { listProviderSubscriptions } from './store/subscriptions.ts';

/** More lines than this are not readable. */
const linesMax = 1_000;

const noWorkspace = (id: string) => new NothingFound(`There is no workspace ${id}`);

/** @throws {ConfigError} if STRIPE_PRICES is not set here: a subscription would get no plan */
const billingOf = ({ outbox, settings }: AdminContext): Billing => {
  const { plans } = settings.stripe;
  if (plans.size === 0) throw new ConfigError('STRIPE_PRICES must be set, as the planes have it');
  return { outbox, plans };
};

/** @throws {UsageError} */
const stripeSubscription = (given: string): string => {
  if (/^sub_\w{1,251}$/.test(given)) return given;
  throw new UsageError(`--stripe-subscription must be an id of Stripe such as sub_1AbC; given: "${given}"`);
};

/** @throws {UsageError} if it is given and not one of them */
const oneOfOrNone = <Option extends string>(
  options: readonly Option[],
  name: string,
  value: string | undefined,
): Option | undefined => (value === undefined ? undefined : oneOf(options, name, value));

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export const billingVerbs: Readonly<Record<string, Verb>> = {
  'change-plan': {
    synopsis: `--workspace <id> [--plan ${plan.options.join('|')}] [--status ${subscriptionStatus.options.join('|')}]`,
    help: [
      'changes the plan of a workspace, the status of its subscription, or both; keys of a cancelled one open nothing, its codes redirect. Its webhooks hear of it as',
      'subscription.plan_changed, cancelled, activated, payment_failed (past_due) or renewed (active again), with the provider operator',
    ],
    flags: ['workspace', 'plan', 'status'],
    async run(flags, { pool, outbox }) {
      const workspaceId = requireFlag(flags, 'workspace');
      if (flags.plan === undefined && flags.status === undefined)
        throw new UsageError('change-plan needs --plan, --status or both: there is nothing to change');
      const subscriptionId = await changePlan(pool, outbox, workspaceId, {
        plan: oneOfOrNone(plan.options, 'plan', flags.plan),
        status: oneOfOrNone(subscriptionStatus.options, 'status', flags.status),
      });
      if (subscriptionId === undefined) throw noWorkspace(workspaceId);
      return [await summaryOf(pool, subscriptionId)];
    },
  },
  'link-subscription': {
    synopsis: '--workspace <id> --stripe-subscription <sub_…>',
    help: [
      'says which workspace’s subscription a subscription of Stripe pays for, at once and for all that Stripe tells of it; what came',
      'before is applied. Prints {"subscriptionId","stripeStatus","applied","plan",…}; "applied" counts payments, refunds and purchases',
    ],
    flags: ['workspace', 'stripe-subscription'],
    async run(flags, context) {
      const workspaceId = requireFlag(flags, 'workspace');
      const id = stripeSubscription(requireFlag(flags, 'stripe-subscription'));
      const linked = await linkSubscription(context.pool, billingOf(context), workspaceId, id);
      if (!linked) throw noWorkspace(workspaceId);
      return [{ ...linked, ...(await summaryOf(context.pool, linked.subscriptionId)) }];
    },
  },
  'unlink-subscription': {
    synopsis: '--stripe-subscription <sub_…>',
    help: ['what Stripe tells of that subscription has no effect from then on; the plan stays as it is'],
    flags: ['stripe-subscription'],
    async run(flags, { pool }) {
      const id = stripeSubscription(requireFlag(flags, 'stripe-subscription'));
      const subscriptionId = await unlinkSubscription(pool, id);
      if (subscriptionId === undefined) throw new NothingFound(`There is no link of ${id}`);
      return [{ stripeSubscription: id, subscriptionId, linked: false }];
    },
  },
  'list-billing-subscriptions': {
    synopsis: '',
    help: [
      'prints the subscriptions that Stripe has reported, linked or not, and what it said last; the latest first, 1,000 at most',
    ],
    flags: [],
    async run(_, { pool }) {
      const subscriptions = await listProviderSubscriptions(pool, linesMax);
      return subscriptions.map(({ id, currentPeriodStart, currentPeriodEnd, reportedAt, ...rest }) => ({
        stripeSubscription: id,
        ...rest,
        currentPeriodStart: iso(currentPeriodStart),
        currentPeriodEnd: iso(currentPeriodEnd),
        reportedAt: iso(reportedAt),
      }));
    },
  },
  'list-billing-events': {
    synopsis: '[--all]',
    help: [
      'prints the events of Stripe that wait for a link or a price, or could not be read, with the reason; with --all those that were',
      'applied, too. The latest first, 1,000 at most; they are kept for 90 days',
    ],
    flags: [],
    switches: ['all'],
    run: ({ all }, { pool }) => listEvents(pool, { unfinished: all === undefined, limit: linesMax }),
  },
  'apply-billing-event': {
    synopsis: '--event <evt_…> --workspace <id>',
    help: ['applies a payment, a refund or a purchase that waits, once, to the subscription of a workspace'],
    flags: ['event', 'workspace'],
    async run(flags, context) {
      const [event, workspaceId] = [requireFlag(flags, 'event'), requireFlag(flags, 'workspace')];
      const applied = await applyEventTo(context.pool, billingOf(context), workspaceId, event);
      if (!applied)
        throw new NothingFound(
          `There is no workspace ${workspaceId}, or no payment, refund or purchase ${event} that waits`,
        );
      return [{ event, ...applied }];
    },
  },
};
