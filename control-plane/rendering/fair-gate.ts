/** Lets so many tasks run at once, and so many more wait for so long, in an order that is fair to their tenants. */
import { ClientError } from '#shared/errors.ts';
import { createFairOrder } from './fair-order.ts';

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

/** Whose turn a task takes, and how much of it. */
export interface Turn {
  tenant: string;
  /** More than 0, in whatever unit, the same for all. */
  cost: number;
}

/** Seconds after which it may have become shorter. */
const retryAfterSeconds = 2;

const refusalOf = (why: Refusal, { tenantFull, busy }: GateMessages): ClientError =>
  why === 'tenant_full'
    ? new ClientError('RATE_LIMITED', tenantFull, { retryAfterSeconds })
    : new ClientError('UNAVAILABLE', busy, { retryAfterSeconds });

interface Waiting {
  enter(): void;
  refuse(why: Refusal): void;
}

/** In place of one that does not wait. */
const nobody: Waiting = { enter() {}, refuse() {} };

export const createFairGate = (options: FairGateOptions) => {
  const {
    runningMax,
    waitingMax,
    waitingPerTenantMax,
    waitMsMax,
    onRefused,
    messages = aboutPictures,
  } = options;
  const order = createFairOrder<Waiting>();
  let running = 0;

  const refused = (why: Refusal): ClientError => {
    onRefused?.(why);
    return refusalOf(why, messages);
  };

  /** Where all is full, who has the most makes room for who has less: others cannot be kept out. */
  const makeRoom = (tenant: string): void => {
    const own = order.sizeOf(tenant);
    if (own >= waitingPerTenantMax) throw refused('tenant_full');
    if (order.size() < waitingMax) return;
    const dropped = order.removeFromLongest(own + 1);
    if (!dropped) throw refused('queue_full');
    dropped.refuse('queue_full');
  };

  const wait = async ({ tenant, cost }: Turn): Promise<void> => {
    makeRoom(tenant);
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = {
      enter: turn.resolve,
      refuse: (why) => turn.reject(refused(why)),
    };
    order.add(tenant, cost, waiting);
    const timer = setTimeout(() => {
      order.remove(tenant, waiting);
      waiting.refuse('waited_too_long');
    }, waitMsMax);
    await turn.promise.finally(() => clearTimeout(timer));
  };

  const enter = (turn: Turn): Promise<void> | undefined => {
    if (running >= runningMax) return wait(turn);
    running++;
    // It waits for nobody, and yet it is a turn that was had.
    order.add(turn.tenant, turn.cost, nobody);
    order.next();
    return undefined;
  };

  /** The place of a task that ended goes to whoever is next. */
  const leave = (): void => {
    const next = order.next();
    if (next) return next.enter();
    running--;
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
        leave();
      }
    },
    /** Tasks that run, tasks that wait, and whose they are. */
    load: () => ({ running, waiting: order.size(), tenants: order.tenants() }),
  };
};
