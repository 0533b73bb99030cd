/**
 * /api/qr/codes. Answers carry `waymark-stale: scanCount` while the count of scans is not known to be current.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type CodeList,
  type CodeObject,
  codeAnalyticsQuery,
  codeListQuery,
  createCodeBodies,
  type UpdateCodeBody,
} from '#schemas/api/codes.ts';
import { codeExplainQuery } from '#schemas/api/explain.ts';
import { styleKeys } from '#schemas/api/style.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../db/pool.ts';
import { bodyLimits } from '../../http/body.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { validateBody } from '../../http/validation.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { readAnalytics } from './analytics/analytics.ts';
import type { ScanCounts } from './analytics/scan-counts.ts';
import type { CreateDynamicCode, ProveStyle } from './create-code.ts';
import type { Cursors } from './cursor.ts';
import {
  analyticsDocs,
  createCodeDocs,
  deleteCodeDocs,
  explainDocs,
  listCodesDocs,
  readCodeDocs,
  updateCodeDocs,
} from './docs.ts';
import { requireFuture } from './expiry.ts';
import type { ReadCap } from './explain/cap-state.ts';
import { explain } from './explain/explain.ts';
import { toCodeObject, toWholeCodeObject, withWarnings } from './object.ts';
import type { Passwords } from './protection/passwords.ts';
import type { Publishing } from './publishing/publishing.ts';
import {
  type CodeChanges,
  type CodeSummary,
  countCodes,
  findCode,
  findCodeToExplain,
  findWholeCode,
  listCodes,
  updateCode,
  type WholeCode,
} from './store/store.ts';
import { changesOf, deactivation } from './update.ts';

export interface CodeOptions {
  pool: Pool;
  clickhouse: ClickHouseClient;
  publishing: Publishing;
  scanCounts: ScanCounts;
  readCap: ReadCap;
  cursors: Cursors;
  passwords: Passwords;
  kits: Pick<BrandKits, 'applicable'>;
  prove: ProveStyle;
  createDynamicCode: CreateDynamicCode;
  qrHost: string;
}

interface Changed {
  code: WholeCode;
  /** Of its style. */
  warnings: readonly string[];
  publish(): Promise<void>;
}

/** Times that other updates of the same code may come between before this one gives up. */
const provenAttemptsMax = 5;

const overtaken = new ClientError('CONFLICT', 'The code is being changed by others; try again');

export const createCodeOperations = (options: CodeOptions): Operation[] => {
  const { pool, clickhouse, publishing, scanCounts, readCap, cursors, passwords, kits, prove, qrHost } =
    options;
  const bodies = createCodeBodies(qrHost);

  const countScans = async (workspaceId: string, codes: readonly CodeSummary[]) => {
    const codeIds = codes.map(({ id }) => id);
    const { counts, stale } = await scanCounts.of(workspaceId, codeIds);
    const headers: Record<string, string> = stale ? { 'waymark-stale': 'scanCount' } : {};
    return { counts, headers };
  };

  const present = async <Found extends CodeSummary>(
    code: Found,
    toObject: (code: Found, scanCount: number, qrHost: string) => CodeObject,
  ) => {
    const { counts, headers } = await countScans(code.workspaceId, [code]);
    return { headers, body: toObject(code, counts.get(code.id) ?? 0, qrHost) };
  };

  const change = async (
    workspaceId: string,
    id: string,
    changesTo: (code: WholeCode) => CodeChanges,
  ): Promise<Changed> => {
    const code = await updateCode(pool, workspaceId, id, changesTo, publishing.ensure);
    // Also where nothing has changed: who repeats a PUT may do so because the first one's answer was lost.
    const publish = () => publishing.publishChanged(code);
    return { code, warnings: [], publish };
  };

  /** A style is proven before it is stored, and not under a lock: a picture takes a while. */
  const changeProven = async (
    workspaceId: string,
    id: string,
    changesTo: (code: WholeCode) => CodeChanges,
  ): Promise<Changed> => {
    for (let attempt = 0; attempt < provenAttemptsMax; attempt++) {
      const seen = await findWholeCode(pool, workspaceId, id);
      const { style: proven } = changesTo(seen);
      const isNew = proven && !isDeepStrictEqual(proven, seen.style);
      const warnings = isNew ? await prove({ id, workspaceId }, proven) : [];
      try {
        const changed = await change(workspaceId, id, (current) => {
          const changes = changesTo(current);
          // Another update came between: what it makes of this one has not been drawn yet.
          if (changes.style && !isDeepStrictEqual(changes.style, proven)) throw overtaken;
          return changes;
        });
        return { ...changed, warnings };
      } catch (error) {
        if (error !== overtaken) throw error;
      }
    }
    throw overtaken;
  };

  const update = async (workspaceId: string, id: string, body: UpdateCodeBody) => {
    requireFuture('expiresAt', body.expiresAt, new Date());
    if (typeof body.brandKitId === 'string') await kits.applicable(workspaceId, body.brandKitId);
    const changesWith =
      (passwordHash: string | null | undefined) =>
      (current: WholeCode): CodeChanges => {
        if (body.destination !== undefined && body.destination !== current.destination)
          validateBody(bodies.destinationOf(current.dataType, body.destination), body);
        return changesOf(current, body, passwordHash);
      };
    const hashPassword = async (password: string): Promise<string> => {
      // A hash is dear: what is refused without one must not cost one.
      changesWith(undefined)(await findWholeCode(pool, workspaceId, id));
      return passwords.hash(password, workspaceId);
    };
    const { password } = body;
    const changesTo = changesWith(typeof password === 'string' ? await hashPassword(password) : password);
    const styled = styleKeys.some((key) => body[key] !== undefined);
    const { code, warnings, publish } = await (styled ? changeProven : change)(workspaceId, id, changesTo);
    const [reply] = await Promise.all([present(code, toWholeCodeObject), publish()]);
    return { ...reply, body: withWarnings(reply.body, warnings) };
  };

  const deactivate = async (workspaceId: string, id: string) => {
    const { code, publish } = await change(workspaceId, id, deactivation);
    const [reply] = await Promise.all([present(code, toCodeObject), publish()]);
    return reply;
  };

  return [
    operation({
      method: 'post',
      path: '/api/qr/codes',
      body: bodies.create,
      bodyLimit: bodyLimits.code,
      creates: { quota: 'dynamicQr' },
      docs: createCodeDocs,
      handle: ({ principal: { workspaceId }, body, create }) =>
        options.createDynamicCode(workspaceId, body, create),
    }),
    operation({
      method: 'get',
      path: '/api/qr/codes',
      query: codeListQuery,
      docs: listCodesDocs,
      async handle({ principal: { workspaceId }, query: { limit, cursor, type, status } }) {
        const before = cursor === undefined ? undefined : cursors.decode(workspaceId, cursor);
        const filter = { type, status };
        const [found, total] = await Promise.all([
          // One more than asked for tells whether there is a next page.
          listCodes(pool, workspaceId, filter, before, limit + 1),
          countCodes(pool, workspaceId, filter),
        ]);
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1) : undefined;
        const { counts, headers } = await countScans(workspaceId, page);
        const nextCursor = last ? cursors.encode(workspaceId, last.seq) : null;
        const body: CodeList = {
          data: page.map((code) => toCodeObject(code, counts.get(code.id) ?? 0, qrHost)),
          pagination: { total, limit, cursor: cursor ?? null, nextCursor },
        };
        return { headers, body };
      },
    }),
    operation({
      method: 'get',
      path: '/api/qr/codes/:id',
      docs: readCodeDocs,
      async handle({ principal: { workspaceId }, params: { id = '' } }) {
        return present(await findWholeCode(pool, workspaceId, id), toWholeCodeObject);
      },
    }),
    operation({
      method: 'put',
      path: '/api/qr/codes/:id',
      body: bodies.update,
      bodyLimit: bodyLimits.code,
      docs: updateCodeDocs,
      handle: ({ principal: { workspaceId }, params: { id = '' }, body }) => update(workspaceId, id, body),
    }),
    operation({
      method: 'delete',
      path: '/api/qr/codes/:id',
      docs: deleteCodeDocs,
      handle: ({ principal: { workspaceId }, params: { id = '' } }) => deactivate(workspaceId, id),
    }),
    operation({
      method: 'get',
      path: '/api/qr/codes/:id/analytics',
      query: codeAnalyticsQuery,
      docs: analyticsDocs,
      async handle({ principal: { workspaceId }, params: { id = '' }, query }) {
        const code = await findCode(pool, workspaceId, id);
        return { body: await readAnalytics(clickhouse, code, query, new Date()) };
      },
    }),
    operation({
      method: 'get',
      path: '/api/qr/codes/:id/explain',
      query: codeExplainQuery,
      docs: explainDocs,
      async handle({ principal: { workspaceId }, params: { id = '' }, query }) {
        const code = await findCodeToExplain(pool, workspaceId, id);
        return { body: explain(code, query, new Date(), await readCap(code)) };
      },
    }),
  ];
};
