/**
 * Pages and their plain documents in Redis, for processes that do not hold them: nothing is rendered twice, and what PostgreSQL
 * cannot tell for a while is still there. Redis may lose any of it at any time.
 */
import { z } from 'zod';
import type { Redis } from '#shared/redis.ts';
import { type HostedPage, hostedKinds } from '../hosted-page.ts';
import type { PageDocument } from '../page-kind.ts';

/** An hour after it was last written, as the records of codes. */
const keptMs = 60 * 60_000;
/** Larger ones are rendered anew. */
const storedBytesMax = 2 ** 20;
/** After a failure, Redis is left alone for so long: no view pays for an outage that is known. */
const pauseAfterFailureMs = 1_000;

export interface StoredPage {
  page: HostedPage;
  revision: string;
  /** Absent where another build has rendered it. */
  document?: PageDocument;
}

export interface StoredPages {
  /** Never fails. @returns undefined where it is not there, or Redis does not answer */
  read(id: string): Promise<StoredPage | undefined>;
  /** Leaves a newer version alone. @throws what Redis throws */
  write(page: HostedPage, revision: string, document: PageDocument): Promise<void>;
}

/** KEYS[1] the page; ARGV: its version, how long it is kept, then names and values of fields. */
const writeScript = `
local version = redis.call('HGET', KEYS[1], 'version')
if version and tonumber(version) > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1], unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

const storedPage = z.object({
  id: z.string(),
  kind: z.enum(hostedKinds),
  workspaceId: z.string(),
  name: z.string(),
  status: z.enum(['active', 'paused']),
  content: z.unknown(),
  version: z.number(),
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
});

const fields = ['revision', 'page', 'build', 'html', 'policy'] as const;

const keyOf = (id: string): string => `hosted-page:${id}`;

/** @param build whose documents are taken */
export const createStoredPages = (redis: Redis, build: string): StoredPages => {
  let askAgainAtMs = 0;

  const parse = (values: readonly (string | null)[]): StoredPage | undefined => {
    const [revision, page, builtBy, html, contentSecurityPolicy] = values;
    if (!revision || !page) return undefined;
    const stored = { page: storedPage.parse(JSON.parse(page)), revision };
    if (builtBy !== build || !html || !contentSecurityPolicy) return stored;
    return { ...stored, document: { html, contentSecurityPolicy } };
  };

  return {
    async read(id) {
      if (performance.now() < askAgainAtMs) return undefined;
      try {
        return parse(await redis.hmget(keyOf(id), ...fields));
      } catch {
        // The connection itself tells the operator; what cannot be read is as good as absent.
        askAgainAtMs = performance.now() + pauseAfterFailureMs;
        return undefined;
      }
    },
    async write(page, revision, { html, contentSecurityPolicy }) {
      const text = JSON.stringify(page);
      if (text.length + html.length > storedBytesMax || performance.now() < askAgainAtMs) return;
      const values = [revision, text, build, html, contentSecurityPolicy];
      const pairs = fields.flatMap((field, at) => [field, values[at]!]);
      await redis.eval(writeScript, 1, keyOf(page.id), page.version, keptMs, ...pairs);
    },
  };
};
