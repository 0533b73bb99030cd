/**
 * Redirectors ask this plane for what neither they nor Redis hold, and whether the versions that they hold are the latest.
 */
import Router from '@koa/router';
import { z } from 'zod';
import { boundedText } from '#schemas/api/text.ts';
import { serializeUnreadable } from '#schemas/code-record.ts';
import { ClientError } from '#shared/errors.ts';
import { type BodyLimit, readJsonBody } from '../api/http/body.ts';
import type { State } from '../api/http/context.ts';
import { internalOnly } from '../api/http/internal-only.ts';
import { parseQuery } from '../api/http/query.ts';
import { validateBody } from '../api/http/validation.ts';
import type { Background } from '../jobs/background.ts';
import { type Current, type PublishedKind, readEach } from './kind.ts';
import type { Publisher } from './publisher.ts';

/** Ids whose versions are asked for at once: one statement of some milliseconds. */
const versionsMax = 2_000;
/** A comma or quote for each id, and room for the name of the field. */
const versionsBodyLimit: BodyLimit = { bytesMax: 32 * 2 ** 10, partsMax: 10, fieldsMax: 10 };
const versionsBody = z.strictObject({ ids: boundedText(versionsBodyLimit.bytesMax) });

/** @throws {ClientError} INVALID_REQUEST */
const splitIds = (text: string, max: number): string[] => {
  const ids = text.split(',');
  if (ids.length <= max) return ids;
  throw new ClientError('INVALID_REQUEST', `ids must have at most ${max} entries; given: ${ids.length}`);
};

/** The database's timeline, and versions in the order of the requested ids: 0 for an id that does not exist. */
export interface Versions {
  timeline: number;
  versions: readonly number[];
}

export interface LookupOptions {
  path: `/internal/${string}`;
  /** Ids in one request: as many as a request line has room for. */
  idsMax: number;
  /** The kinds that are looked up at this path; one may be added later. */
  kinds: readonly PublishedKind[];
  /** Reads versions, if redirectors compare them. The ids are texts of any form. */
  versionsOf?: (ids: readonly string[]) => Promise<Versions>;
  publisher: Pick<Publisher, 'fill'>;
  background: Background;
  internalToken: string;
}

const textOf = (one: Current): string =>
  'problem' in one ? serializeUnreadable(one.id, one.recordVersion ?? 1) : one.text;

/**
 * GET `{path}?ids=a,b,c` answers a JSON array of texts (see {@link VersionedText}), in any order; ids that do not exist are absent
 * from it. The texts are also put into Redis, where the next redirector finds them. A thing whose text cannot be made costs the
 * others nothing: the answer has its id alone, so that no redirector takes it for absent.
 *
 * `format` names the latest format that the redirector can read. It changes nothing: a text is in the lowest format that can express
 * it, and a redirector of an earlier release must not do without what it cannot read.
 *
 * POST `{path}/versions` with `{"ids": "a,b,c"}` answers `{timeline, versions}`: for each id, in the order of the question, its
 * version on that timeline, or 0 if it does not exist.
 */
export const createLookup = (options: LookupOptions): Router<State> => {
  const { path, idsMax, kinds, versionsOf, publisher, background, internalToken } = options;
  const router = new Router<State>();
  const guard = internalOnly(internalToken, 'UNAUTHENTICATED');

  const read = async (kind: PublishedKind, ids: readonly string[]): Promise<readonly Current[]> => {
    const found = await readEach(kind, ids.filter(kind.owns));
    const readable = found.flatMap((one) => ('problem' in one ? [] : [one]));
    background.start('putting looked-up texts into Redis', publisher.fill(kind, readable));
    return found;
  };

  router.get(path, guard, async (ctx) => {
    ctx.state.route = path;
    const ids = splitIds(String(parseQuery(ctx.querystring).ids ?? ''), idsMax);
    ctx.body = (await Promise.all(kinds.map((kind) => read(kind, ids)))).flat().map(textOf);
  });
  if (versionsOf)
    router.post(`${path}/versions`, guard, async (ctx) => {
      ctx.state.route = `${path}/versions`;
      const { ids } = validateBody(versionsBody, await readJsonBody(ctx.req, versionsBodyLimit));
      ctx.body = await versionsOf(splitIds(ids, versionsMax));
    });
  return router;
};
