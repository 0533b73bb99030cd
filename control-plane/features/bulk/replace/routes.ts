/** /api/qr/codes/bulk/replace: many changes in one call. */
import { z } from 'zod';
import { codeIdText, type TextReplacement, textReplacement } from '#schemas/api/bulk-replace.ts';
import { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { bodyLimits } from '../../../api/http/body.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import { validateBody } from '../../../api/http/validation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { BrandKits } from '../../brand-kits/kits.ts';
import type { ChangeBatch } from '../../codes/batch/change-batch.ts';
import { requireLooks } from '../create/looks.ts';
import { type CallRow, readCallRows } from '../engine/call-rows.ts';
import type { Submission, Submit, SubmittedRow } from '../engine/submission.ts';
import { replaceDocs } from './docs.ts';
import type { ReplaceOptions, ReplaceRow } from './kind.ts';
import { findMatches, reportMatches, requireMatches } from './matches.ts';

export interface ReplaceRoutesOptions {
  pool: Pool;
  submit: Submit;
  batch: ChangeBatch;
  kits: Pick<BrandKits, 'applicable'>;
  qrHost: string;
  locationOf(bulkId: string): string;
}

const refuse = (message: string): never => {
  throw new ClientError('INVALID_REQUEST', message);
};

/**
 * The name of a row: its `uid`, or else its `id`, which is checked first.
 * @throws {ClientError} INVALID_REQUEST naming the row
 */
const createUidOf = () => {
  const places = new Map<string, number>();
  return ({ uid, id }: CallRow['row'], at: number): unknown => {
    if (id === undefined) return refuse(`rows[${at}].id is required`);
    const checked = codeIdText.safeParse(id);
    if (!checked.success) return refuse(`rows[${at}].id must be the id of a code; given: ${quoted(id)}`);
    const before = places.get(checked.data);
    if (before !== undefined)
      return refuse(`rows[${at}].id must be unique in the call; ${quoted(id)} is the id of rows[${before}]`);
    places.set(checked.data, at);
    return uid ?? id;
  };
};

const submitted = (uid: string, body: ReplaceRow): SubmittedRow => ({ uid, bodyOf: () => body });

const updateOf = ({ uid: _, id, ...update }: CallRow['row']): ReplaceRow => ({ id: String(id), update });

/** A null clears the brand kit, so there is no kit to check. */
const lookOf = ({ uid, row: { preset, brandKitId } }: CallRow): CallRow => ({
  uid,
  row: { preset, brandKitId: brandKitId ?? undefined },
});

type Caller = Pick<Submission, 'principal' | 'create'>;

export const createReplaceOperations = (options: ReplaceRoutesOptions): Operation[] => {
  const { pool, submit, batch, kits, qrHost, locationOf } = options;

  const submitReplace = (caller: Caller, rows: readonly SubmittedRow[], more: Partial<Submission>) =>
    submit({ ...caller, kind: 'replace', rows, locationOf, ...more });

  const replaceRows = (caller: Caller, body: unknown) => {
    const rows = readCallRows(body, createUidOf());
    const { workspaceId } = caller.principal;
    return submitReplace(
      caller,
      rows.map(({ uid, row }) => ({ uid, bodyOf: () => updateOf(row) })),
      { check: () => requireLooks(kits, workspaceId, rows.map(lookOf)) },
    );
  };

  const replaceTexts = async (caller: Caller, texts: TextReplacement) => {
    const { find, replace, dryRun } = texts;
    const { workspaceId } = caller.principal;
    const found = await findMatches(pool, workspaceId, texts);
    if (dryRun) return { body: await reportMatches(pool, workspaceId, batch, texts, found) };
    const operationOptions: ReplaceOptions = { find, replace };
    return submitReplace(
      caller,
      found.ids.map((id) => submitted(id, { id })),
      {
        options: operationOptions,
        // Not earlier: a repeated call gets its first answer although its codes no longer hold the text.
        check: async () => requireMatches(found, texts),
        fields: found.rest,
      },
    );
  };

  return [
    operation({
      method: 'post',
      path: '/api/qr/codes/bulk/replace',
      callLimit: 'bulk',
      // Rows are checked one by one: a wrong one does not fail the others.
      body: z.unknown(),
      bodyLimit: bodyLimits.bulk,
      creates: { quota: 'bulkOrders' },
      docs: replaceDocs(createCodeBodies(qrHost).update),
      async handle({ principal, body, create }) {
        if (Array.isArray(body)) return replaceRows({ principal, create }, body);
        if (typeof body === 'object' && body !== null)
          return replaceTexts({ principal, create }, validateBody(textReplacement, body));
        return refuse(
          `The body must be an array of rows, or an object with find and replace; given: ${quoted(body)}`,
        );
      },
    }),
  ];
};
