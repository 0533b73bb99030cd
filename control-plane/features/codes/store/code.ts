/** A code as stored in PostgreSQL. */
import type { RoutingExtras } from '#schemas/api/code-routing.ts';
import type { CodeAnalyticsMode, CodeStatus } from '#schemas/api/codes.ts';
import type { DataType } from '#schemas/api/data-types.ts';
import type { DestinationHealth } from '#schemas/api/destination-health.ts';
import type { Messages } from '#schemas/api/messages.ts';
import type { Metadata } from '#schemas/api/own-fields.ts';
import type { Encryption, SecureKind } from '#schemas/api/protection.ts';
import type { Campaign, DeepLinkConfig, RoutingRules, Sources } from '#schemas/api/routing.ts';
import type { Style } from '#schemas/api/style.ts';
import type { LinkedAlias } from '#shared/redirect-url.ts';

/** A code as a list shows it. */
export interface CodeSummary {
  id: string;
  workspaceId: string;
  /** Creation order, ascending; a decimal number too large for a double. */
  seq: string;
  name: string | null;
  dataType: DataType;
  /** The location or payload, at the time of reading if it has a schedule; for an encrypted code the JWE that holds it. */
  destination: string;
  status: CodeStatus;
  passwordProtected: boolean;
  encryption: Encryption['type'] | null;
  expiresAt: Date | null;
  maxScans: number | null;
  /** The prefix of the id in its short URL, see shared/redirect-url.ts. */
  linkBase: string | null;
  /** Grows by one with every change. */
  version: number;
  /** The owner's own id of the code, unique in the workspace. */
  externalId: string | null;
  metadata: Metadata | null;
  notes: string | null;
  /** The id of the key that created it; null for the oldest codes. */
  createdBy: string | null;
  /** In the order of their keys. */
  tags: string[];
  /** The ids of tags as PostgreSQL writes an array: `{1,2}`, ascending. */
  tagIds: string;
  folderId: string | null;
  archived: boolean;
  /** The import that made it; null if none did. */
  importId: string | null;
  /** What the service that it was imported from had counted. No scan of ours is in it. */
  importedScanCount: number | null;
  /** As far as lists know; null if never. */
  lastScannedAt: Date | null;
  /** Of an imported code that of the original, where that is known. */
  createdAt: Date;
  updatedAt: Date;
  /** Since when, and why, an operator has suspended it. */
  suspendedAt: Date | null;
  suspensionReason: string | null;
  /** Whether its destination is checked daily. */
  healthCheck: boolean;
  /** The last check of its present destination; null if there was none. */
  destinationHealth: DestinationHealth | null;
}

/** Set by an operator. */
export interface Locks {
  /** Cannot be updated through the API. */
  complianceLocked: boolean;
  /** Also cannot be deactivated. */
  legalHold: boolean;
}

/** With everything that decides where a scan leads. */
export interface Code extends CodeSummary, Locks {
  /** The version that redirectors know, on the database's timeline. */
  recordVersion: number;
  /** The record version with which the cap was set; null if there is no cap. */
  capEpoch: number | null;
  sources: Sources | null;
  routingRules: RoutingRules | null;
  campaign: Campaign | null;
  deepLinkConfig: DeepLinkConfig | null;
  messages: Messages | null;
  routing: RoutingExtras | null;
  analytics: CodeAnalyticsMode;
}

/** With the parts that only its owner needs, including up to a megabyte of logo. */
export interface WholeCode extends Code {
  /** The fields that the payload was made from; null if it was given as text. */
  data: object | null;
  style: Style | null;
  /** Its further short paths; null if it has none. Not read for a change of many codes. */
  aliases?: readonly LinkedAlias[] | null;
}

/** With the parts that a list was asked for. */
export type ListedCode = CodeSummary & Partial<WholeCode>;

/** The parts that can be set, at creation and later. An absent one is not set, or stays. */
export interface CodeChanges {
  name?: string | null;
  destination?: string;
  data?: object | null;
  status?: CodeStatus;
  passwordHash?: string | null;
  expiresAt?: Date | null;
  maxScans?: number | null;
  capEpoch?: number | null;
  routingRules?: RoutingRules | null;
  campaign?: Campaign | null;
  deepLinkConfig?: DeepLinkConfig | null;
  messages?: Messages | null;
  routing?: RoutingExtras | null;
  analytics?: CodeAnalyticsMode;
  style?: Style | null;
  externalId?: string | null;
  metadata?: Metadata | null;
  notes?: string | null;
  tagIds?: string;
  folderId?: string | null;
  archived?: boolean;
  healthCheck?: boolean;
}

export interface NewCode extends CodeChanges {
  workspaceId: string;
  dataType: DataType;
  destination: string;
  encryption?: Encryption['type'] | null;
  sources?: Sources | null;
  createdBy?: string | null;
  importId?: string | null;
  importedScanCount?: number | null;
  /** Absent: now. */
  createdAt?: Date | null;
}

/** The version of a new code. */
export const firstVersion = 1;

/** The protection of a code, in the API's terms. */
export const secureKindsOf = ({
  passwordProtected,
  encryption,
  expiresAt,
}: Pick<CodeSummary, 'passwordProtected' | 'encryption' | 'expiresAt'>): SecureKind[] => [
  ...(passwordProtected ? (['password'] as const) : []),
  ...(encryption === null ? [] : (['encrypt'] as const)),
  ...(expiresAt ? (['expire'] as const) : []),
];
