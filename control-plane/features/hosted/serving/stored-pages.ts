/**
 * Pages and their plain documents in Redis, for processes that do not hold them: nothing is rendered twice, and what PostgreSQL
 * cannot tell for a while is still there. Redis may lose any of it at any time.
 */
import { z } from 'zod';
import type { Redis } from '#shared/redis.ts';
import { type HostedPage, hostedKinds } from '../hosted-page.ts';
import { asLarge, largeBytes } from '../large/tasks.ts';
import { changeOf, type PageChange, pageChange } from '../page-change.ts';
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
  /** What is known of the page there: of what `read` answers, or of a change after which nobody has stored it. Never fails. */
  readState(id: string): Promise<PageChange | undefined>;
  /** Leaves a newer version alone. @throws what Redis throws */
  write(page: HostedPage, revision: string, document: PageDocument): Promise<void>;
  /** Takes away what is older than this change, and says so in its place. @throws what Redis throws */
  mark(change: PageChange): Promise<void>;
}

/**
 * KEYS[1] the page; ARGV: when it was changed, how long it is kept, then names and values of fields. What is as old may be its mark,
 * unless that says it is deleted.
 */
const writeScript = `
local known = redis.call('HMGET', KEYS[1], 'changedAtMs', 'state')
local knownAt = tonumber(known[1] or 0)
if knownAt > tonumber(ARGV[1]) or (knownAt == tonumber(ARGV[1]) and known[2] == 'deleted') then return 0 end
redis.call('HSET', KEYS[1], 'changedAtMs', ARGV[1], unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

/**
 * KEYS[1] the page; ARGV: when it was changed, how long this is kept, its state, its kind. What is as old is the page after this
 * change. A deletion is final: it also replaces what was written before a restore of the database.
 */
const markScript = `
local knownAt = tonumber(redis.call('HGET', KEYS[1], 'changedAtMs') or 0)
local changedAt = ARGV[1]
if knownAt >= tonumber(changedAt) then
  if ARGV[3] ~= 'deleted' then return 0 end
  changedAt = redis.call('HGET', KEYS[1], 'changedAtMs')
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'changedAtMs', changedAt, 'state', ARGV[3], 'kind', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

const storedPage = z.object({
  id: z.string(),
  kind: z.enum(hostedKinds),
  workspaceId: z.string(),
  name: z.string(),
  status: z.enum(['active', 'paused']),
  content: z.unknown(),
  language: z.string().optional(),
  version: z.number(),
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
});

/** JSON with all of the content, as every release reads it. */
const textOf = ({ contentText, content, ...page }: HostedPage): string =>
  contentText
    ? `${JSON.stringify(page).slice(0, -1)},"content":${contentText}}`
    : JSON.stringify({ ...page, content });

const pageOf = (text: string): HostedPage => {
  const page = storedPage.parse(JSON.parse(text));
  return page.kind === 'menu' && text.length > largeBytes ? asLarge(page) : page;
};

const fields = ['revision', 'page', 'build', 'html', 'policy'] as const;

const keyOf = (id: string): string => `hosted-page:${id}`;

/** @param build whose documents are taken */
export const createStoredPages = (redis: Redis, build: string): StoredPages => {
  let askAgainAtMs = 0;

  const parse = (values: readonly (string | null)[]): StoredPage | undefined => {
    const [revision, page, builtBy, html, contentSecurityPolicy] = values;
    if (!revision || !page) return undefined;
    const stored = { page: pageOf(page), revision };
    if (builtBy !== build || !html || !contentSecurityPolicy) return stored;
    return { ...stored, document: { html, contentSecurityPolicy } };
  };

  const unlessAway = async <Value>(read: () => Promise<Value>): Promise<Value | undefined> => {
    if (performance.now() < askAgainAtMs) return undefined;
    try {
      return await read();
    } catch {
      // The connection itself tells the operator; what cannot be read is as good as absent.
      askAgainAtMs = performance.now() + pauseAfterFailureMs;
      return undefined;
    }
  };

  return {
    read: (id) => unlessAway(async () => parse(await redis.hmget(keyOf(id), ...fields))),
    readState: (id) =>
      unlessAway(async () => {
        const [changedAtMs, state, kind] = await redis.hmget(keyOf(id), 'changedAtMs', 'state', 'kind');
        return state ? pageChange.parse({ id, kind, state, changedAtMs: Number(changedAtMs) }) : undefined;
      }),
    async write(page, revision, { html, contentSecurityPolicy }) {
      if (html.length + (page.contentText?.length ?? 0) > storedBytesMax) return;
      const text = textOf(page);
      if (text.length + html.length > storedBytesMax || performance.now() < askAgainAtMs) return;
      const values = [revision, text, build, html, contentSecurityPolicy];
      const { changedAtMs, state, kind } = changeOf(page);
      const pairs = fields.flatMap((field, at) => [field, values[at]!]).concat('state', state, 'kind', kind);
      await redis.eval(writeScript, 1, keyOf(page.id), changedAtMs, keptMs, ...pairs);
    },
    async mark({ id, kind, state, changedAtMs }) {
      await redis.eval(markScript, 1, keyOf(id), changedAtMs, keptMs, state, kind);
    },
  };
};
