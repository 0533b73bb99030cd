/** Lists and counts of codes: their filters, their orders and their answers. */
import { z } from 'zod';
import { codeStatuses, type Expansion, expansions, listedCodeObject } from './codes.ts';
import { dataTypes } from './data-types.ts';
import { type HealthStatus, healthStatuses } from './destination-health.ts';
import { folderParameter } from './folders.ts';
import { instantParameter } from './instants.ts';
import { tagsParameter } from './tags.ts';
import { boundedText, ownText, switchParameter, wholeNumberParameter } from './text.ts';

const searchLengthMax = 100;
const searchWordsMax = 10;
/** A cursor has the name at which its page ended. */
const cursorLengthMax = 2_000;
const hostLengthMax = 253;
const keyIdLengthMax = 40;

/** The words of a search, distinct. Nothing is found by punctuation alone. */
const searchWords = (text: string): string[] => [
  ...new Set(text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))),
];

const search = boundedText(searchLengthMax)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not contain control characters')
  .refine((text) => text.trim().length >= 2, 'must have at least 2 characters')
  .transform(searchWords)
  .refine((words) => words.length > 0, 'must have a letter or a digit')
  .refine((words) => words.length <= searchWordsMax, `must have at most ${searchWordsMax} words`);

const plainParameter = (lengthMax: number) =>
  boundedText(lengthMax).refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
    'must not contain control characters',
  );

const expandLengthMax = 300;

const isExpansion = (name: string): name is Expansion => (expansions as readonly string[]).includes(name);

const expand = boundedText(expandLengthMax).transform((text, context): Expansion[] => {
  const names = text.split(',');
  if (names.every(isExpansion)) return names;
  context.addIssue({
    code: 'custom',
    message: `must be a list of ${expansions.join(', ')}, separated by commas`,
  });
  return z.NEVER;
});

const filters = {
  search: search
    .optional()
    .describe(
      'Only codes whose name, destination, id, `externalId` or aliases have all these words, in any order and case. A ' +
        'word with three letters or digits in a row is also found inside of others, such as `example.com/men` in a ' +
        'destination. A shorter one is found at the beginning of a word of the name, or of the destination, the id, ' +
        '`externalId` or an alias. ' +
        'Of a destination, the first 500 characters are searched, and of an encrypted code nothing.',
    ),
  type: z.enum(dataTypes).optional().describe('Only codes of this data type.'),
  status: z.enum(codeStatuses).optional().describe('Only codes with this status.'),
  archived: z
    .enum(['true', 'false', 'any'])
    .default('false')
    .describe('`false`: without archived codes. `true`: only archived codes. `any`: both.'),
  tags: tagsParameter()
    .optional()
    .describe('Tags, separated by commas: only codes with one of them at least.'),
  tagsAll: tagsParameter().optional().describe('Tags, separated by commas: only codes with all of them.'),
  tagsExclude: tagsParameter()
    .optional()
    .describe('Tags, separated by commas: only codes with none of them.'),
  folderId: folderParameter()
    .optional()
    .describe('Only codes of this folder. `none`: only codes without one.'),
  destinationHost: plainParameter(hostLengthMax)
    .transform((host) => host.toLowerCase())
    .optional()
    .describe(
      'Only codes of the types `url` and `gs1` that lead to this host, such as `shop.example.com`. Subdomains are other hosts.',
    ),
  createdBy: plainParameter(keyIdLengthMax)
    .optional()
    .describe('Only codes that the API key with this id created.'),
  createdAfter: instantParameter().optional().describe('Only codes created at this time or later: ISO 8601.'),
  createdBefore: instantParameter().optional().describe('Only codes created before this time: ISO 8601.'),
  updatedAfter: instantParameter().optional().describe('Only codes changed at this time or later: ISO 8601.'),
  updatedBefore: instantParameter()
    .optional()
    .describe('Only codes last changed before this time: ISO 8601.'),
  destinationHealth: z
    .enum(healthStatuses)
    .optional()
    .describe('Only codes whose present destination was found so by its last check.'),
  excludeExpired: switchParameter().default(false).describe('`true`: without codes that have expired.'),
  excludeCapped: switchParameter()
    .default(false)
    .describe('`true`: without codes whose scan cap is reached, as far as known a minute ago.'),
};

const requireWindows = (
  { createdAfter, createdBefore, updatedAfter, updatedBefore }: CodeFilters,
  context: z.RefinementCtx,
): void => {
  const windows = [
    ['createdAfter', createdAfter, 'createdBefore', createdBefore],
    ['updatedAfter', updatedAfter, 'updatedBefore', updatedBefore],
  ] as const;
  for (const [afterName, after, beforeName, before] of windows)
    if (after instanceof Date && before instanceof Date && after >= before)
      context.addIssue({ code: 'custom', path: [beforeName], message: `must be later than ${afterName}` });
};

/** The filters of a list or a count, checked. */
export interface CodeFilters {
  search?: string[] | undefined;
  type?: (typeof dataTypes)[number] | undefined;
  status?: (typeof codeStatuses)[number] | undefined;
  archived: 'true' | 'false' | 'any';
  tags?: string[] | undefined;
  tagsAll?: string[] | undefined;
  tagsExclude?: string[] | undefined;
  /** `none`: without a folder. */
  folderId?: string | undefined;
  destinationHost?: string | undefined;
  createdBy?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  updatedAfter?: Date | undefined;
  updatedBefore?: Date | undefined;
  destinationHealth?: HealthStatus | undefined;
  excludeExpired: boolean;
  excludeCapped: boolean;
}

/** The filters in a body: the same names and texts as in the query of a list. */
export const codeFilter = z.strictObject(filters).superRefine(requireWindows);

const orders = ['createdAt', 'updatedAt', 'name', 'scanCount', 'lastScannedAt'] as const;
export type CodeOrder = (typeof orders)[number];
const sorts = orders.flatMap((order) => [order, `-${order}`] as const);
export type CodeSort = (typeof sorts)[number];

export const codeListQuery = z
  .object({
    limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of codes in a page.'),
    cursor: boundedText(cursorLengthMax)
      .optional()
      .describe(
        'The `pagination.nextCursor` of the previous page, with the same filters and `sort`. Omit it for the first page.',
      ),
    sort: z
      .enum(sorts)
      .default('-createdAt')
      .describe(
        'The order; `-` means descending. `name` is compared in lower case. `scanCount` and `lastScannedAt` are those of ' +
          'a minute ago at most; codes that were never scanned come last in `-lastScannedAt`. Without filters other than ' +
          '`type`, `status` and `archived`, `createdAt` is the order in which codes came here: imported codes are where ' +
          'their import was, the oldest first, whatever their `createdAt` is.',
      ),
    expand: expand
      .optional()
      .describe(
        `Further fields of each code, separated by commas: ${expansions.map((name) => `\`${name}\``).join(', ')}. ` +
          'They are those of a single code, but `style` comes without `image`. Of codes with large fields a page has fewer than ' +
          '`limit`, as long as `nextCursor` is not null.',
      ),
    ...filters,
  })
  .superRefine(requireWindows);

export const groupings = ['status', 'type', 'tag', 'folder', 'domain', 'destinationHost'] as const;
export type Grouping = (typeof groupings)[number];

export const codeCountQuery = z
  .object({
    groupBy: z
      .enum(groupings)
      .optional()
      .describe('Counts the codes of each value as well. Codes without one count under `null`.'),
    ...filters,
  })
  .superRefine(requireWindows);

/** The codes of a workspace up to which every total is exact. */
export const countedMax = 10_000;
export const groupsMax = 250;

const total = z.number().int().describe('The number of codes that match the filters.');
const totalRelation = z
  .enum(['eq', 'gte'])
  .describe(
    '`eq`: `total` is exact. `gte`: at least as many match. That is only so in a workspace with more than ' +
      `${countedMax} codes, if many match and other filters than \`type\`, \`status\` and \`archived\` are given.`,
  );

export const codeList = z.object({
  data: z
    .array(listedCodeObject)
    .describe('The codes of this page, in the order of `sort`, with the fields of `expand`.'),
  pagination: z
    .object({
      total,
      totalRelation,
      limit: z.number().int().describe('The maximum number of codes in a page.'),
      cursor: ownText().nullable().describe('The `cursor` of this request; null for the first page.'),
      nextCursor: ownText().nullable().describe('The `cursor` for the next page; null on the last page.'),
    })
    .describe('This page, and how to get the next page.'),
});

export type CodeList = z.infer<typeof codeList>;

export const codeCount = z.object({
  total,
  totalRelation,
  groups: z
    .array(
      z.object({
        value: ownText()
          .nullable()
          .describe('The status, the type, the tag, the id of the folder, the domain, or the host.'),
        count: z.number().int().describe('The number of codes with it.'),
      }),
    )
    .optional()
    .describe(
      `With \`groupBy\`: the ${groupsMax} most frequent values. A code with several tags counts for each.`,
    ),
});

export type CodeCount = z.infer<typeof codeCount>;
