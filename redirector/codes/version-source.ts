/** The versions of many codes, as the control plane reads them from PostgreSQL. */
import { request } from 'undici';
import { z } from 'zod';
import { versionOn } from '#schemas/code-record.ts';
import type { ControlPlane } from '../held/source.ts';

/** As many as the control plane takes at once. */
export const versionsMax = 2_000;

/** The truth about some codes at one moment. */
export interface Versions {
  timeline: number;
  /** As records have them, in the order of the ids that were asked for; 0 where there is no such code. */
  versions: number[];
}

/**
 * @param ids with commas between
 * @param count how many ids they are
 * @throws when it cannot say
 */
export type AskVersions = (ids: string, count: number) => Promise<Versions>;

/** The control plane is of a release that does not compare versions. */
export class NoVersionsError extends Error {
  override name = 'NoVersionsError';
}

/** The control plane refuses this question because of what is in it, or answers another one: it is no use to ask it again. */
export class RefusedVersionsError extends Error {
  override name = 'RefusedVersionsError';
}

/** Statuses that say that the question is wrong, and not who asks it, how often, or whom. */
const refusals = new Set([400, 413, 414, 422]);

const errorOf = (statusCode: number): Error => {
  const message = `the control plane answered ${statusCode} to a comparison of versions`;
  if (statusCode === 404) return new NoVersionsError(message);
  return refusals.has(statusCode) ? new RefusedVersionsError(message) : new Error(message);
};

const isVersion = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Each number by itself took zod as long as all the rest of a question takes. */
const answer = z.object({
  timeline: z.number().int().min(0),
  versions: z.custom<number[]>((value) => Array.isArray(value) && value.every(isVersion)),
});

/**
 * @returns asks for at most {@link versionsMax} versions; throws NoVersionsError where it never will answer, and
 * RefusedVersionsError where it never will answer that question
 */
export const createVersionSource =
  ({ internalUrl, token, timeoutMs, dispatcher }: ControlPlane): AskVersions =>
  async (ids, count) => {
    const { statusCode, body } = await request(`${internalUrl}/internal/codes/versions`, {
      method: 'POST',
      dispatcher,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ids }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (statusCode !== 200) {
      await body.dump();
      throw errorOf(statusCode);
    }
    const { timeline, versions } = answer.parse(await body.json());
    if (versions.length !== count)
      throw new RefusedVersionsError(`the control plane answered ${versions.length} versions of ${count}`);
    const base = versionOn(timeline, 0);
    return {
      timeline,
      versions: base === 0 ? versions : versions.map((version) => version && base + version),
    };
  };
