/** Events: what has happened to a resource, as consumers of the outbox are told. */

import type { DataType } from './api/data-types.ts';
import type { Plan, SubscriptionStatus } from './api/plans.ts';
import type { SecureKind } from './api/protection.ts';
import type { Device } from './scan-event.ts';

/** The data of an event of each type, beside its subject. A feature adds the types of its own events here. */
export interface EventData {
  /** A dynamic code exists. */
  'qr.created': { readonly dataType: DataType; readonly secure: readonly SecureKind[] };
  /**
   * A dynamic code has changed, be it by its owner or by an operator.
   * `changedKeys`: each key of its object in the API that has another value, and `password`, which no object shows, where
   * that is set or removed; sorted, and never empty. `updatedAt` and `scanCount` are not among them.
   */
  'qr.updated': { readonly changedKeys: readonly string[] };
  /** DELETE has deactivated a dynamic code that was active. */
  'qr.deleted': { readonly [key in never]: never };
  /** A scan of a dynamic code, which is the subject: counted as such, not that of a bot or a preview. */
  'scan.created': ScanOfCode;
  /** A visitor has sent a form, which is the subject. What was sent is not in the event. */
  'form.submitted': { readonly formName: string; readonly submissionId: string };
  /** The first scan of a serialized item, which is the subject. */
  'serialized.first_scanned': SerializedScan;
  /** A later scan of a serialized item, which is the subject: the item may have been copied. `risk`: how likely that is. */
  'serialized.duplicate_scanned': SerializedScan & { readonly risk: DuplicateRisk };
  /** A domain, which is the subject, belongs to the workspace: its TXT record says so. */
  'domain.verified': { readonly domain: string };
  /** The TXT record of a verified domain is gone. Where it does not come back, the domain is switched off. */
  'domain.record_missing': {
    readonly domain: string;
    /** ISO 8601, as the domain's object has them. */
    readonly missingSince: string;
    readonly switchOffAt: string;
  };
  /** The TXT record was gone for 30 days: codes are served on the domain no more. */
  'domain.switched_off': { readonly domain: string };
  /** Deliveries to a webhook, which is the subject, have failed for days: it is sent nothing until its owner resumes it. */
  'webhook.paused': {
    readonly webhookId: string;
    readonly url: string;
    /** ISO 8601, UTC. */
    readonly failingSince: string;
  };
  'subscription.activated': SubscriptionState;
  'subscription.renewed': SubscriptionState;
  'subscription.cancelled': SubscriptionState;
  'subscription.payment_failed': SubscriptionState;
  'subscription.plan_changed': SubscriptionState & { readonly previousPlan: Plan };
  'subscription.refunded': SubscriptionState & {
    /** In the smallest unit of the currency. */
    readonly amount: number;
    /** ISO 4217, in lower case. */
    readonly currency: string;
  };
}

/** A scan of a dynamic code. A key that has no value is absent. */
export interface ScanOfCode {
  /** ISO 3166-1 alpha-2, or null where it is not known. */
  readonly country: string | null;
  readonly device: Device;
  /** The destination of the routing rule that decided. */
  readonly routedTo?: string;
  /** The variant of the campaign that the scan went to. */
  readonly variantId?: string;
  readonly variantName?: string;
}

/** A subscription as its provider, or the operator, has left it. Times are epoch milliseconds, null where they are not known. */
interface SubscriptionState {
  readonly subscriptionId: string;
  readonly plan: Plan;
  readonly status: SubscriptionStatus;
  readonly currentPeriodStart: number | null;
  readonly currentPeriodEnd: number | null;
  /** `stripe`, or `operator` for the operator's own command. */
  readonly provider: string;
}

/** A scan of a serialized item. */
interface SerializedScan {
  readonly batchId: string;
  readonly productSku: string | null;
  readonly productName: string | null;
  /** The number of this scan among those of the item; the first one's is 1. */
  readonly scanCount: number;
  /** When the item was first scanned, in epoch milliseconds. */
  readonly firstScannedAt: number;
  /** Where this scan was made: ISO 3166-1 alpha-2, or null where it is not known. */
  readonly country: string | null;
}

/**
 * `high`: in another country than the first scan or the last one, sooner than anybody could fly there. `medium`: in another country.
 * `low`: in the same one, by the device of the first scan, or where it is not known in which country.
 */
export const duplicateRisks = ['low', 'medium', 'high'] as const;
export type DuplicateRisk = (typeof duplicateRisks)[number];

export type EventType = keyof EventData;

/** The resource that an event is about. */
export interface EventSubject {
  readonly id: string;
  /** Grows with every change of the resource, so that consumers tell an older event from a newer one. */
  readonly version: number;
}

interface EventOf<Type extends EventType> {
  /** `evt_…` */
  readonly id: string;
  readonly type: Type;
  readonly workspaceId: string;
  readonly subject: EventSubject;
  readonly occurredAt: Date;
  readonly data: EventData[Type];
}

/** An event of one of the types; by `type` the compiler tells which `data` it has. */
export type Event<Type extends EventType = EventType> = { [Each in Type]: EventOf<Each> }[Type];

/** An event before it is emitted: the outbox gives it its id, unless it has one. */
export type NewEvent<Type extends EventType = EventType> = {
  [Each in Type]: Omit<EventOf<Each>, 'id'> & {
    /** Of an event that may be reported again: it is the same one by this id. */
    readonly id?: string;
  };
}[Type];
