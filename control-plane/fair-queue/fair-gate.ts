/**
 * Lets so many tasks run at once, and so many more wait for so long, in an order that is fair to their tenants. Those without a key
 * together have a share of the places: however many addresses they have, they keep no workspace out.
 */
import { ClientError } from '#shared/errors.ts';
import { createClassOrder, isKeyless, keylessShare, type Tenant, type Turn } from './class-order.ts';

export type { Tenant, Turn } from './class-order.ts';

export const refusals = ['tenant_full', 'queue_full', 'waited_too_long'] as const;
export type Refusal = (typeof refusals)[number];

export interface FairGateOptions {
  runningMax: number;
  waitingMax: number;
  /** Of one tenant. */
  waitingPerTenantMax: number;
  waitMsMax: number;
  onRefused?: ((why: Refusal) => void) | undefined;
  messages?: GateMessages;
}

/** What whoever is turned away is told. */
export interface GateMessages {
  /** Whose own tasks are too many. */
  tenantFull: string;
  /** Where those of all are. */
  busy: string;
}

const aboutPictures: GateMessages = {
  tenantFull: 'Too many of your pictures are waiting to be drawn; send fewer at once',
  busy: 'Too many pictures are being rendered; try again shortly',
};

/** Seconds after which it may have become shorter. */
const retryAfterSeconds = 2;

const refusalOf = (why: Refusal, { tenantFull, busy }: GateMessages): ClientError =>
  why === 'tenant_full'
    ? new ClientError('RATE_LIMITED', tenantFull, { retryAfterSeconds })
    : new ClientError('UNAVAILABLE', busy, { retryAfterSeconds });

interface Waiting {
  isKeyless: boolean;
  enter(): void;
  refuse(why: Refusal): void;
}

/** In place of one that does not wait. */
const nobody = { enter() {}, refuse() {} };

/** Of places, at least one: none would be none for ever. */
const shareOf = (places: number): number => Math.max(1, Math.floor(places / keylessShare));

export const createFairGate = (options: FairGateOptions) => {
  const {
    runningMax,
    waitingMax,
    waitingPerTenantMax,
    waitMsMax,
    onRefused,
    messages = aboutPictures,
  } = options;
  const order = createClassOrder<Waiting>();
  let running = 0;
  let runningKeyless = 0;

  const refused = (why: Refusal): ClientError => {
    onRefused?.(why);
    return refusalOf(why, messages);
  };

  /** Whether one more without a key may run: one place is kept free of them, where there is more than one. */
  const keylessMay = (): boolean => {
    const runningKeylessMax = order.keyedSize() > 0 ? shareOf(runningMax) : Math.max(1, runningMax - 1);
    return runningKeyless < runningKeylessMax;
  };

  /** Whose place a newcomer gets: that of somebody without a key, or else of who has the most, if it is more than he will have. */
  const placeOf = (tenant: Tenant): Waiting | undefined => {
    const least = order.sizeOf(tenant) + 1;
    if (isKeyless(tenant)) return order.removeFromLongest('keyless', least);
    return order.removeFromLongest('keyless', 0) ?? order.removeFromLongest('keyed', least);
  };

  const isFull = (tenant: Tenant): boolean =>
    order.size() >= waitingMax || (isKeyless(tenant) && order.keylessSize() >= shareOf(waitingMax));

  /** Where all is full, others cannot be kept out by who has the most, nor workspaces by who has no key. */
  const makeRoom = (tenant: Tenant): void => {
    if (order.sizeOf(tenant) >= waitingPerTenantMax) throw refused('tenant_full');
    if (!isFull(tenant)) return;
    const dropped = placeOf(tenant);
    if (!dropped) throw refused('queue_full');
    dropped.refuse('queue_full');
  };

  const wait = async (asked: Turn): Promise<void> => {
    const { tenant } = asked;
    makeRoom(tenant);
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = {
      isKeyless: isKeyless(tenant),
      enter: turn.resolve,
      refuse: (why) => turn.reject(refused(why)),
    };
    order.add(asked, waiting);
    const timer = setTimeout(() => {
      order.remove(tenant, waiting);
      waiting.refuse('waited_too_long');
    }, waitMsMax);
    await turn.promise.finally(() => clearTimeout(timer));
  };

  const count = (isOfKeyless: boolean, tasks: 1 | -1): void => {
    running += tasks;
    if (isOfKeyless) runningKeyless += tasks;
  };

  const enter = (turn: Turn): Promise<void> | undefined => {
    const isOfKeyless = isKeyless(turn.tenant);
    if (running >= runningMax || (isOfKeyless && !keylessMay())) return wait(turn);
    // It waits for nobody, and yet it is a turn that was had.
    order.add(turn, { ...nobody, isKeyless: isOfKeyless });
    order.next(isOfKeyless);
    count(isOfKeyless, 1);
    return undefined;
  };

  /** The place of a task that ended goes to whoever is next. */
  const leave = ({ tenant }: Turn): void => {
    count(isKeyless(tenant), -1);
    const next = order.next(keylessMay());
    if (next) {
      count(next.isKeyless, 1);
      return next.enter();
    }
    if (running === 0) order.reset();
  };

  return {
    /**
     * @throws {ClientError} RATE_LIMITED when too many of this tenant wait; UNAVAILABLE when too many of all do, or when this
     *   one has waited too long
     */
    async pass<T>(turn: Turn, task: () => Promise<T>): Promise<T> {
      await enter(turn);
      try {
        return await task();
      } finally {
        leave(turn);
      }
    },
    /** Tasks that run, tasks that wait, and whose they are. */
    load: () => ({ running, waiting: order.size(), tenants: order.tenants() }),
  };
};
