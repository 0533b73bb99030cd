/** A domain as stored in PostgreSQL, and as the API shows it. */
import { randomBytes } from 'node:crypto';
import type { AliasCase } from '#schemas/aliases.ts';
import type { DomainObject, DomainStatus } from '#schemas/api/domains.ts';
import { type StoredBranding, shownOf } from '../branding/stored-branding.ts';
import { recordNameOf } from './name.ts';

/** A record not found for this long is checked only on its owner's request. */
export const checkingDaysMax = 14;
/** A domain is switched off this long after its record went missing. */
export const switchOffAfterMs = 30 * 86_400_000;

/** The result of the checks for its record. */
export interface CheckState {
  status: DomainStatus;
  verifiedAt: Date | null;
  lastCheckedAt: Date | null;
  lastCheckError: string | null;
  /** Consecutive checks that did not find the record, the first at absentSince. */
  absences: number;
  absentSince: Date | null;
  missingSince: Date | null;
  /** Checks since checkingSince, while the domain is not verified. */
  checks: number;
  checkingSince: Date;
  /** Null once the checks have ended, until the owner requests one. */
  nextCheckAt: Date | null;
}

export interface Domain extends CheckState {
  id: string;
  workspaceId: string;
  domain: string;
  token: string;
  primary: boolean;
  path: string;
  /** Whether codes may have been printed with the path. */
  pathIsPrinted: boolean;
  rootRedirect: string | null;
  notFoundUrl: string | null;
  expiredUrl: string | null;
  aliasCase: AliasCase;
  /** Null: its pages have the branding of the workspace. */
  branding: StoredBranding | null;
  /** Grows by one with every event. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export const createToken = (): string => randomBytes(18).toString('base64url');

/** The required value of a domain's TXT record. */
export const recordValueOf = ({ token }: Pick<Domain, 'token'>): string => `waymark-verification=${token}`;

/** When a domain whose record is missing will be switched off. */
export const switchOffAt = (missingSince: Date): Date => new Date(missingSince.getTime() + switchOffAfterMs);

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

const lastCheckErrorOf = ({ id, lastCheckError, nextCheckAt }: Domain): string | null =>
  lastCheckError === null || nextCheckAt !== null
    ? lastCheckError
    : `${lastCheckError}. It was checked for ${checkingDaysMax} days, and is no longer checked: POST /api/domains/${id}/verify starts again`;

/** @param target the host of QR_HOST */
export const toDomainObject = (domain: Domain, target: string): DomainObject => ({
  id: domain.id,
  domain: domain.domain,
  status: domain.status,
  primary: domain.primary,
  path: domain.path,
  rootRedirect: domain.rootRedirect,
  notFoundUrl: domain.notFoundUrl,
  expiredUrl: domain.expiredUrl,
  aliasCase: domain.aliasCase,
  branding: domain.branding && shownOf(domain.branding),
  dns: { type: 'TXT', name: recordNameOf(domain.domain), value: recordValueOf(domain) },
  target,
  verifiedAt: iso(domain.verifiedAt),
  lastCheckedAt: iso(domain.lastCheckedAt),
  lastCheckError: lastCheckErrorOf(domain),
  nextCheckAt: iso(domain.nextCheckAt),
  missingSince: iso(domain.missingSince),
  switchOffAt:
    domain.status === 'missing' && domain.missingSince ? iso(switchOffAt(domain.missingSince)) : null,
  createdAt: domain.createdAt.toISOString(),
  updatedAt: domain.updatedAt.toISOString(),
});
