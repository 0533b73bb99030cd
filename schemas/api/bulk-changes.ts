/** Bulk changes: one change of every code that matches a filter. */
import { z } from 'zod';
import { bulkRowDone, bulkRowFailed, bulkStatuses, dryRunMark } from './bulk.ts';
import { codeFilter } from './code-lists.ts';
import { createPatchBodies } from './code-patch.ts';
import { tags } from './tags.ts';
import { boundedText, ownText, wholeNumberParameter } from './text.ts';

/** Codes of one call. Their ids are read and stored while the call waits. */
export const changedCodesMax = 50_000;
/** Ids in the answer to a dry run. */
export const sampleMax = 20;

export const bulkActions = ['update', 'deactivate', 'activate', 'archive', 'unarchive', 'tag'] as const;
export type BulkAction = (typeof bulkActions)[number];

const tagList = tags.unwrap().optional();

const fieldsOf: Partial<Record<BulkAction, readonly string[]>> = {
  update: ['patch'],
  tag: ['addTags', 'removeTags'],
};

interface Sent {
  action: BulkAction;
  patch?: unknown;
  addTags?: readonly string[] | undefined;
  removeTags?: readonly string[] | undefined;
}

/** Fields that belong to another action. */
const refuseOthers = (body: Sent, context: z.RefinementCtx): void => {
  for (const name of ['patch', 'addTags', 'removeTags'] as const)
    if (body[name] !== undefined && !fieldsOf[body.action]?.includes(name))
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `must not be given with the action ${body.action}`,
      });
};

/** What an action cannot do without. */
const requireOwn = (
  { action, patch, addTags = [], removeTags = [] }: Sent,
  context: z.RefinementCtx,
): void => {
  if (action === 'update' && patch === undefined)
    context.addIssue({ code: 'custom', path: ['patch'], message: 'is required with the action update' });
  if (action === 'tag' && addTags.length + removeTags.length === 0)
    context.addIssue({
      code: 'custom',
      path: ['addTags'],
      message: 'or removeTags must have a tag with the action tag',
    });
};

/** @param qrHost the origin of redirects: no code may lead to another code */
export const createBulkChangeBody = (qrHost: string) =>
  z
    .strictObject({
      filter: codeFilter.describe(
        'Which codes: the filters of `GET /api/qr/codes`, with the same names and texts as in its query. `{}` has every ' +
          'code that is not archived, and then `expectedCount` is required.',
      ),
      action: z
        .enum(bulkActions)
        .describe(
          '`update`: the fields of `patch`. `deactivate` and `activate`: as `DELETE` and `activate` of a single code. ' +
            '`archive` and `unarchive`: the field `archived`. `tag`: adds and removes tags.',
        ),
      patch: createPatchBodies(qrHost)
        .many.optional()
        .describe(
          'With `update`: a JSON merge patch (RFC 7396), as a PATCH of a single code takes it, of the fields that make ' +
            'sense for many codes.',
        ),
      addTags: tagList.describe('With `tag`: tags that each code gets, if it does not have them.'),
      removeTags: tagList.describe(
        'With `tag`: tags that each code loses. A tag that does not exist is on no code.',
      ),
      expectedCount: z
        .int()
        .min(0)
        .max(changedCodesMax)
        .optional()
        .describe(
          'How many codes the caller has seen to match. If another number matches now, the call is refused with 409 and ' +
            'the field `total`.',
        ),
      dryRun: z
        .boolean()
        .default(false)
        .describe('Whether to only report how many codes match, and some of their ids.'),
    })
    .superRefine(refuseOthers)
    .superRefine(requireOwn)
    .superRefine(({ filter, expectedCount, dryRun }, context) => {
      const isOfAll = Object.entries(filter).every(
        ([name, value]) =>
          value === undefined || value === false || (name === 'archived' && value === 'false'),
      );
      if (isOfAll && expectedCount === undefined && !dryRun)
        context.addIssue({
          code: 'custom',
          path: ['expectedCount'],
          message: 'is required for a filter that has every code',
        });
    });

export type BulkChangeBody = z.output<ReturnType<typeof createBulkChangeBody>>;

export const bulkChangeReport = z
  .object({
    dryRun: dryRunMark,
    total: z.int().min(0).max(changedCodesMax).describe('How many codes match.'),
    sample: z.array(ownText()).describe(`The ids of the first ${sampleMax} of them, oldest first.`),
  })
  .meta({ id: 'BulkChangeReport', description: 'What a bulk change would be of. Nothing was changed.' });

export type BulkChangeReport = z.output<typeof bulkChangeReport>;

export const bulkRowsQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of codes in a page.'),
  cursor: boundedText(300)
    .optional()
    .describe(
      'The `pagination.nextCursor` of the previous page, with the same `status`. Omit it for the first page.',
    ),
  status: z.enum(['updated', 'unchanged', 'failed']).optional().describe('Only codes of which this became.'),
});

export const bulkRowList = z.object({
  status: z.enum(bulkStatuses).describe('How far the bulk operation is.'),
  data: z
    .array(z.discriminatedUnion('status', [bulkRowDone, bulkRowFailed]))
    .describe('What became of each code so far, in the order of their creation.'),
  pagination: z
    .object({
      limit: z.int().describe('The maximum number of codes in a page.'),
      cursor: ownText().nullable().describe('The `cursor` of this request; null for the first page.'),
      nextCursor: ownText()
        .nullable()
        .describe('The `cursor` for the next page; null if no further code is done yet.'),
    })
    .describe('This page, and how to get the next page.'),
});

export type BulkRowList = z.output<typeof bulkRowList>;
