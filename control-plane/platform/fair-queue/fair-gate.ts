/**
 * Runs a limited number of entries at once and lets a limited number wait for a limited time, in an order that is fair to
 * their tenants. Tenants without a key share some of the places: however many addresses they have, they crowd out no
 * workspace.
 */
import { ClientError } from '#shared/errors.ts';
import { type ClassOrder, createClassOrder, type Entry, isKeyless, type Tenant } from './class-order.ts';
import { createPlaces, shareOf } from './places.ts';

export type { Entry, Tenant } from './class-order.ts';

export const refusals = ['tenant_full', 'queue_full', 'waited_too_long'] as const;
export type QueueRefusal = (typeof refusals)[number];

export interface FairGateOptions {
  runningMax: number;
  waitingMax: number;
  /** Maximum of waiting entries per tenant. */
  waitingPerTenantMax: number;
  waitMsMax: number;
  onRefused?: ((why: QueueRefusal) => void) | undefined;
  messages?: GateMessages;
  /**
   * The cost of a millisecond. An entry that takes longer than its stated cost is charged for the rest afterwards.
   * Default: it is not.
   */
  costPerMs?: number;
  /** Default: the process's monotonic clock, in ms. */
  clock?: () => number;
}

/** The messages of refusals. */
export interface GateMessages {
  /** To a tenant with too many entries of its own. */
  tenantFull: string;
  /** If all tenants together have too many. */
  busy: string;
}

const aboutPictures: GateMessages = {
  tenantFull: 'Too many of your pictures are waiting to be drawn; send fewer at once',
  busy: 'Too many pictures are being rendered; try again shortly',
};

/** Seconds after which the queue may be shorter. */
const retryAfterSeconds = 2;

const refusalOf = (why: QueueRefusal, { tenantFull, busy }: GateMessages): ClientError =>
  why === 'tenant_full'
    ? new ClientError('RATE_LIMITED', tenantFull, { retryAfterSeconds })
    : new ClientError('UNAVAILABLE', busy, { retryAfterSeconds });

interface Waiting {
  isKeyless: boolean;
  enter(): void;
  refuse(why: QueueRefusal): void;
}

/** The callbacks of an entry that does not wait. */
const notWaiting = { enter() {}, refuse() {} };

type Limits = Pick<FairGateOptions, 'waitingMax' | 'waitingPerTenantMax' | 'waitMsMax'>;

/** The waiting entries. @param refused counts a refusal and makes its error */
const createWaitingLine = (
  order: ClassOrder<Waiting>,
  { waitingMax, waitingPerTenantMax, waitMsMax }: Limits,
  refused: (why: QueueRefusal) => ClientError,
) => {
  /**
   * The entry that loses its place to a newcomer: a keyless tenant's, else one of a tenant with more than the newcomer
   * will have.
   */
  const dropFor = (tenant: Tenant): Waiting | undefined => {
    const least = order.sizeOf(tenant) + 1;
    if (isKeyless(tenant)) return order.removeFromLongest('keyless', least);
    return order.removeFromLongest('keyless', 0) ?? order.removeFromLongest('keyed', least);
  };

  const isFull = (tenant: Tenant): boolean =>
    order.size() >= waitingMax || (isKeyless(tenant) && order.keylessSize() >= shareOf(waitingMax));

  /** @throws {ClientError} if neither the tenant nor the line has a place left */
  const makePlace = (tenant: Tenant): void => {
    if (order.sizeOf(tenant) >= waitingPerTenantMax) throw refused('tenant_full');
    if (!isFull(tenant)) return;
    const dropped = dropFor(tenant);
    if (!dropped) throw refused('queue_full');
    dropped.refuse('queue_full');
  };

  return {
    /** Resolves when the entry gets its place. */
    async wait(entry: Entry): Promise<void> {
      const { tenant } = entry;
      makePlace(tenant);
      const place = Promise.withResolvers<void>();
      const waiting: Waiting = {
        isKeyless: isKeyless(tenant),
        enter: place.resolve,
        refuse: (why) => place.reject(refused(why)),
      };
      order.add(entry, waiting);
      const timer = setTimeout(() => {
        order.remove(tenant, waiting);
        waiting.refuse('waited_too_long');
      }, waitMsMax);
      await place.promise.finally(() => clearTimeout(timer));
    },
  };
};

export const createFairGate = ({
  runningMax,
  onRefused,
  messages = aboutPictures,
  costPerMs = 0,
  clock = () => performance.now(),
  ...limits
}: FairGateOptions) => {
  const order = createClassOrder<Waiting>();
  const places = createPlaces(runningMax);
  const line = createWaitingLine(order, limits, (why) => {
    onRefused?.(why);
    return refusalOf(why, messages);
  });
  const keylessMay = (): boolean => places.hasKeylessShare(order.keyedSize() > 0);

  /** @returns undefined if the entry need not wait */
  const enter = (entry: Entry): Promise<void> | undefined => {
    const isOfKeyless = isKeyless(entry.tenant);
    if (places.isFull() || (isOfKeyless && !keylessMay())) return line.wait(entry);
    // The order counts this entry as well, although none waits.
    order.add(entry, { ...notWaiting, isKeyless: isOfKeyless });
    order.next(isOfKeyless);
    places.take(isOfKeyless);
    return undefined;
  };

  const chargeRest = ({ tenant, cost }: Entry, elapsedMs: number): void => {
    const rest = elapsedMs * costPerMs - cost;
    if (rest > 0) order.charge({ tenant, cost: rest });
  };

  /** The next entry gets the place of the ended one. */
  const leave = ({ tenant }: Entry): void => {
    places.free(isKeyless(tenant));
    const next = order.next(keylessMay());
    if (next) {
      places.take(next.isKeyless);
      return next.enter();
    }
    if (places.taken() === 0) order.reset();
  };

  return {
    /**
     * Does the work of an entry when its place comes.
     * @throws {ClientError} RATE_LIMITED if too many entries of this tenant wait; UNAVAILABLE if too many of all tenants
     *   do, or if this one has waited too long
     */
    async pass<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
      await enter(entry);
      const begunAtMs = clock();
      try {
        return await work();
      } finally {
        chargeRest(entry, clock() - begunAtMs);
        leave(entry);
      }
    },
    /** Running entries, waiting entries, and the tenants of the waiting ones. */
    load: () => ({ running: places.taken(), waiting: order.size(), tenants: order.tenants() }),
  };
};
