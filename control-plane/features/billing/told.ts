/** What a payment provider's event says, in the words of this service. Times are epoch milliseconds, by the provider's clock. */

/** A subscription as it was at an instant. */
export interface Snapshot {
  /** The provider's word. */
  status: string;
  /** The status before the change that is told, where that was one of its parts. */
  previousStatus: string | undefined;
  /** Whether it tells of the beginning. */
  isFirst: boolean;
  /** Prices, lookup keys and products of its items. */
  prices: readonly string[];
  currentPeriodStart: number | null;
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: boolean;
}

/** Something that happened once, and changes no state of the subscription. */
export type Moment =
  | { kind: 'renewed'; periodStart: number | null; periodEnd: number | null }
  | { kind: 'payment_failed' }
  | {
      kind: 'refunded';
      /** In the smallest unit of the currency: of this refund alone. */
      amount: number;
      currency: string;
      /** Whether nothing of the payment is left. */
      isWhole: boolean;
      payment: string | null;
    }
  /** A block of serialized items was bought and paid. */
  | { kind: 'block'; payment: string; items: number };

export interface Told {
  id: string;
  type: string;
  happenedAt: number;
  /** What has happened, where several events tell of it: the first that comes counts. */
  effect: string | null;
  /** The provider's own ids. */
  providerSubscription: string | null;
  customer: string | null;
  /** The subscription or the workspace of ours that it names: an id, or what was given in place of one. */
  named: string | null;
  snapshot: Snapshot | undefined;
  moment: Moment | undefined;
}

/** An event of a type that is read, without what events of that type have. */
export interface Unreadable {
  id: string;
  type: string;
  happenedAt: number;
  /** For the operator: it names the field. */
  problem: string;
}

/** An event of a type that is not read: `ignored`. */
export type Reading =
  | { kind: 'told'; told: Told }
  | { kind: 'unreadable'; unreadable: Unreadable }
  | { kind: 'ignored' };
