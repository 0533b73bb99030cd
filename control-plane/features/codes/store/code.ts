/** A code as PostgreSQL holds it. */
import type { CodeStatus } from '#schemas/api/codes.ts';
import type { DataType } from '#schemas/api/data-types.ts';
import type { Encryption, SecureKind } from '#schemas/api/protection.ts';
import type { Campaign, DeepLinkConfig, RoutingRules, Sources } from '#schemas/api/routing.ts';
import type { Style } from '#schemas/api/style.ts';

/** A code as a list shows it. */
export interface CodeSummary {
  id: string;
  workspaceId: string;
  /** Creation order, ascending; a decimal number too large for a double. */
  seq: string;
  name: string | null;
  dataType: DataType;
  /** The location or payload; for an encrypted code the JWE that holds it. */
  destination: string;
  status: CodeStatus;
  passwordProtected: boolean;
  encryption: Encryption['type'] | null;
  expiresAt: Date | null;
  maxScans: number | null;
  /** What is before the id in its short URL, see shared/redirect-url.ts. */
  linkBase: string | null;
  /** Grows by one with every change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Set by an operator. */
export interface Locks {
  /** Cannot be updated through the API. */
  complianceLocked: boolean;
  /** Nor deactivated. */
  legalHold: boolean;
}

/** With everything that decides where a scan leads. */
export interface Code extends CodeSummary, Locks {
  /** The version that redirectors know it by, on the timeline that the database is on. */
  recordVersion: number;
  /** The record version with which the cap was set; null exactly where there is none. */
  capEpoch: number | null;
  sources: Sources | null;
  routingRules: RoutingRules | null;
  campaign: Campaign | null;
  deepLinkConfig: DeepLinkConfig | null;
}

/** With the parts that only its owner needs, up to a megabyte of logo. */
export interface WholeCode extends Code {
  /** The fields that the payload was made from; null where it was given as text. */
  data: object | null;
  style: Style | null;
}

/** The parts that can be set, at creation and later. An absent one is not set, or stays as it is. */
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
  style?: Style | null;
}

export interface NewCode extends CodeChanges {
  workspaceId: string;
  dataType: DataType;
  destination: string;
  encryption?: Encryption['type'] | null;
  sources?: Sources | null;
}

/** The version of a code that has just been created. */
export const firstVersion = 1;

/** How a code is protected, in the API's words. */
export const secureKindsOf = ({
  passwordProtected,
  encryption,
  expiresAt,
}: Pick<CodeSummary, 'passwordProtected' | 'encryption' | 'expiresAt'>): SecureKind[] => [
  ...(passwordProtected ? (['password'] as const) : []),
  ...(encryption === null ? [] : (['encrypt'] as const)),
  ...(expiresAt ? (['expire'] as const) : []),
];
