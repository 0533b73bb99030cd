/** The content of a payment provider's event, in our terms. Times are epoch milliseconds, by the provider's clock. */

/** A subscription as it was at an instant. */
export interface Snapshot {
  /** The provider's status. */
  status: string;
  /** The status before the reported change, if the change includes it. */
  previousStatus: string | undefined;
  /** Whether it reports the creation. */
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
      /** Of this refund only, in the smallest unit of the currency. */
      amount: number;
      currency: string;
      /** Whether nothing of the payment is left. */
      isWhole: boolean;
      payment: string | null;
    }
  /** A block of serialized items was bought and paid. */
  | { kind: 'block'; payment: string; items: number };

export interface ProviderEvent {
  id: string;
  type: string;
  happenedAt: number;
  /** Identifies the occurrence, if several events report it: the first to arrive counts. */
  effect: string | null;
  /** The provider's own ids. */
  providerSubscription: string | null;
  customer: string | null;
  /** The subscription or workspace of ours that it names: an id, or the text given instead. */
  named: string | null;
  snapshot: Snapshot | undefined;
  moment: Moment | undefined;
}

/** An event of a type that is read, without the fields of that type. */
export interface Unreadable {
  id: string;
  type: string;
  happenedAt: number;
  /** For the operator: it names the field. */
  problem: string;
}

/** An event of a type that is not read is `ignored`. */
export type Reading =
  | { kind: 'read'; event: ProviderEvent }
  | { kind: 'unreadable'; unreadable: Unreadable }
  | { kind: 'ignored' };
