/** Events: changes to resources, as consumers of the outbox see them. */

import type { DataType } from './api/data-types.ts';
import type { OwnFields } from './api/own-fields.ts';
import type { Plan, SubscriptionStatus } from './api/plans.ts';
import type { SecureKind } from './api/protection.ts';
import type { Device } from './scan-event.ts';
import type { ItemMark } from './verification.ts';

/** The data of each type of event, in addition to its subject. A feature adds the types of its own events here. */
export interface EventData {
  /** A dynamic code was created. */
  'qr.created': OwnFields & {
    readonly dataType: DataType;
    readonly secure: readonly SecureKind[];
    /** The import that made it. Absent if none did. */
    readonly importId?: string;
  };
  /**
   * A dynamic code was changed, by its owner or an operator. `changedKeys`: the keys of its API object whose value
   * changed, and `password`, which no object shows, if it was set or removed; sorted, never empty. `updatedAt` and
   * `scanCount` are excluded.
   */
  'qr.updated': OwnFields & { readonly changedKeys: readonly string[] };
  /** DELETE deactivated an active dynamic code, or a code was erased, which `erased` says: then nothing else of it is left. */
  'qr.deleted': OwnFields & { readonly erased?: true };
  /** The operator suspended a dynamic code: it leads nowhere until the suspension is lifted. `since`: ISO 8601, UTC. */
  'qr.suspended': OwnFields & { readonly reason: string; readonly since: string };
  /** The operator lifted the suspension of a dynamic code. */
  'qr.suspension_lifted': OwnFields;
  /** Two checks in a row of a code's destination have failed. `httpStatus`: null without an answer. `since`: ISO 8601. */
  'qr.destination_broken': OwnFields & {
    readonly destination: string;
    readonly httpStatus: number | null;
    readonly since: string;
  };
  /** A destination that was reported as broken answers again. */
  'qr.destination_recovered': OwnFields & { readonly destination: string };
  /** A scan of a dynamic code, which is the subject. Only counted scans: not by a bot or a preview. */
  'scan.created': ScanOfCode;
  /** A conversion of a scan was reported; the code that was scanned is the subject. Only of counted scans. */
  'conversion.created': OwnFields & {
    readonly conversionId: string;
    /** What happened, in the owner's word. */
    readonly event: string;
    /** In units of the currency; both are absent without a value. */
    readonly value?: number;
    /** ISO 4217, in upper case. */
    readonly currency?: string;
    /** ISO 8601, UTC, as is the next. */
    readonly scannedAt: string;
    readonly occurredAt: string;
    readonly variantId?: string;
    readonly ruleId?: string;
  };
  /** A visitor submitted a form, which is the subject. The submission itself is not in the event. */
  'form.submitted': { readonly formName: string; readonly submissionId: string };
  /** The first scan of a serialized item, which is the subject. */
  'serialized.first_scanned': SerializedScan;
  /** A later scan of a serialized item, which is the subject: the item may be a copy. `risk`: how likely that is. */
  'serialized.duplicate_scanned': SerializedScan & { readonly risk: DuplicateRisk };
  /** The owner has marked a serialized item, which is the subject, or has removed or changed its mark. */
  'serialized.item_marked': {
    readonly batchId: string;
    readonly productSku: string | null;
    readonly productName: string | null;
    /** The mark now, and before; null if there is none. */
    readonly mark: ItemMark | null;
    readonly previousMark: ItemMark | null;
    /** Of the mark; null without one, as is the next. */
    readonly note: string | null;
    /** When it happened, in milliseconds since 1970. */
    readonly markedAt: number | null;
  };
  /** A domain, which is the subject, was verified by its TXT record: it belongs to the workspace. */
  'domain.verified': { readonly domain: string };
  /** The TXT record of a verified domain is missing. If it does not return, the domain is disabled. */
  'domain.record_missing': {
    readonly domain: string;
    /** ISO 8601, as in the domain's object. */
    readonly missingSince: string;
    readonly switchOffAt: string;
  };
  /** The TXT record was missing for 30 days: codes are no longer served on the domain. */
  'domain.switched_off': { readonly domain: string };
  /**
   * Deliveries to a webhook, which is the subject, have failed for days: nothing is sent to it until its owner resumes
   * it.
   */
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

/** A scan of a dynamic code. Keys without a value are absent. */
export interface ScanOfCode extends OwnFields {
  /** ISO 3166-1 alpha-2, or null if unknown. */
  readonly country: string | null;
  readonly device: Device;
  /** The destination of the routing rule that matched. */
  readonly routedTo?: string;
  /** The campaign variant that the scan was sent to. */
  readonly variantId?: string;
  readonly variantName?: string;
}

/**
 * A subscription's state after a change by its provider or the operator. Times are epoch milliseconds, null if unknown.
 */
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
  /** The number of this scan among the item's scans; the first is 1. */
  readonly scanCount: number;
  /** When the item was first scanned, in milliseconds since 1970. */
  readonly firstScannedAt: number;
  /** Where this scan was made: ISO 3166-1 alpha-2, or null if unknown. */
  readonly country: string | null;
}

/**
 * `high`: in another country than the first or the last scan, sooner than anyone could fly there. `medium`: in another
 * country. `low`: in the same country, by the device of the first scan, or in an unknown country.
 */
export const duplicateRisks = ['low', 'medium', 'high'] as const;
export type DuplicateRisk = (typeof duplicateRisks)[number];

export type EventType = keyof EventData;

/** The resource that an event is about. */
export interface EventSubject {
  readonly id: string;
  /** Grows with every change of the resource, so that consumers can order its events. */
  readonly version: number;
}

/** What the code of an event is filed under when it happens: webhooks choose events by it. It is not sent. */
export interface EventLabels {
  readonly tagIds: readonly number[];
  readonly folderId: string | null;
}

/** The events of a code. */
export type CodeEventType = Extract<EventType, `qr.${string}`> | 'scan.created' | 'conversion.created';

type LabelsOf<Type extends EventType> = Type extends CodeEventType
  ? { readonly labels: EventLabels }
  : { readonly labels?: undefined };

interface EventFacts<Type extends EventType> {
  /** `evt_…` */
  readonly id: string;
  readonly type: Type;
  readonly workspaceId: string;
  readonly subject: EventSubject;
  readonly occurredAt: Date;
  readonly data: EventData[Type];
}

type EventOf<Type extends EventType> = EventFacts<Type> & LabelsOf<Type>;

/** An event of any type; `type` narrows `data`. */
export type Event<Type extends EventType = EventType> = { [Each in Type]: EventOf<Each> }[Type];

/** An event before it is emitted: the outbox assigns its id, unless it has one. */
export type NewEvent<Type extends EventType = EventType> = {
  [Each in Type]: Omit<EventOf<Each>, 'id'> & {
    /** For an event that may be reported again: the id identifies it. */
    readonly id?: string;
  };
}[Type];
