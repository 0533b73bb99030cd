/** Imports: the links of another service become codes. Their form, their progress and their rows. */
import { z } from 'zod';
import { destinationLengthMax } from './destination.ts';
import { boundedText, ownText, wholeNumberParameter } from './text.ts';

/** Services whose links can be imported. */
export const importSources = ['shlink', 'yourls', 'kutt', 'bitly', 'dub'] as const;
export type ImportSource = (typeof importSources)[number];

/** Links in one file. */
export const importRowsMax = 20_000;
export const importFileBytesMax = 16 * 2 ** 20;
/** Of a workspace, ended ones included. */
export const importsMax = 50;
/** Of the links of all of them, as they are stored. */
export const importBytesMax = 128 * 2 ** 20;
export const importKeptDays = 30;

const hostLengthMax = 253;
const cursorLengthMax = 200;

const hostName = boundedText(hostLengthMax).min(1);

/** The fields of the form other than `file`. */
export const importFields = {
  source: z
    .enum(importSources)
    .optional()
    .describe('The service that the file comes from. Omit it to have it recognised by its columns.'),
  domain: hostName
    .optional()
    .describe(
      'The verified domain of the workspace on which the short codes live on as aliases. Without it they become aliases on ' +
        'the shared host, where only free and permitted ones can be had.',
    ),
  host: hostName
    .optional()
    .describe(
      'Take only the links of this host from the file, such as `s.example.com`. Other links are skipped. For a file with ' +
        'several domains, make an import of each.',
    ),
};

export const importStatuses = [
  'checking',
  'checked',
  'importing',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ImportStatus = (typeof importStatuses)[number];

export const importReasons = [
  'alias_taken',
  'alias_reserved',
  'alias_invalid',
  'alias_too_long',
  'alias_case',
  'duplicate',
  'destination_refused',
  'destination_too_long',
  'external_id_taken',
  'protected',
  'expired',
  'banned',
  'limit',
  'other',
] as const;
export type ImportReason = (typeof importReasons)[number];

const reasonText =
  '`alias_taken`: the short code leads, or led, to another code. `alias_reserved`: it is a word or has a form that the ' +
  'service uses itself. `alias_invalid`: it is missing, or has characters that no alias has. `alias_too_long`: it has too ' +
  'many characters. `alias_case`: it differs from that of an earlier row by case only; set `aliasCase` of the domain to ' +
  '`exact`, and import the file again. `duplicate`: an earlier row has the same short code or link id. `destination_refused` ' +
  'and `destination_too_long`: no code can lead there. `external_id_taken`: another code has the link id as its ' +
  '`externalId`. `protected`: the link has a password, which the file does not have. `expired` and `banned`: the link does ' +
  'not work any more. `limit`: the workspace has as many aliases or tags as it may have. `other`: `message` says it.';

export const importMoves = ['by_dns', 'other_domain', 'never', 'unknown'] as const;

const count = z.int().min(0);

const hostObject = z.object({
  host: ownText()
    .nullable()
    .describe('The host. Null: the file does not name it, or there are more hosts than are listed.'),
  links: count.describe('The number of links that are printed with it.'),
  moves: z
    .enum(importMoves)
    .describe(
      '`by_dns`: it is the `domain` of the import: what was printed goes on as soon as its DNS leads here. `other_domain`: it ' +
        'is another host than `domain`. `never`: it belongs to the service. `unknown`: the file does not name it.',
    ),
  message: ownText().describe('What becomes of codes that are printed with it.'),
});
export type ImportHost = z.output<typeof hostObject>;

const limitObject = z.object({
  needed: count.describe('What the import takes, as far as its rows are checked.'),
  left: count.nullable().describe('What the plan has left now. Null: it has no limit.'),
  isEnough: z.boolean().describe('Whether there is enough of it. If not, the import cannot be started.'),
});

const importParts = {
  id: ownText().describe('The id of the import, `imp_…`.'),
  status: z
    .enum(importStatuses)
    .describe(
      '`checking`: the rows are checked, and no code is made. `checked`: it waits for its start. `importing`: codes are being ' +
        'made. `completed`, `failed` and `cancelled` are final; the codes that were made stay.',
    ),
  source: z.enum(importSources).describe('The service that the file comes from.'),
  sourceDetected: z.boolean().describe('Whether the service was recognised by the columns of the file.'),
  domain: ownText()
    .nullable()
    .describe('The domain on which the short codes live on. Null: the shared host.'),
  host: ownText().nullable().describe('Only links of this host were taken. Null: all links.'),
  hosts: z.array(hostObject).describe('Where the links are printed, and whether what is printed goes on.'),
  notes: z.array(ownText()).describe('What was assumed when the file was read.'),
  total: count.describe('The number of rows. A row is a link of the file.'),
  skipped: count.describe('The number of links of other hosts, which were left out.'),
  checked: count.describe('The number of rows that are checked.'),
  ready: count.describe('The number of checked rows that can be imported.'),
  refused: count.describe('The number of checked rows that cannot be imported.'),
  created: count.describe('The number of codes that were made.'),
  failed: count.describe('The number of ready rows that could not be imported after all.'),
  reasons: z
    .array(
      z.object({
        reason: z.enum(importReasons).describe(reasonText),
        rows: count.describe('The number of rows.'),
      }),
    )
    .describe('Why rows were refused or failed, the most frequent reason first.'),
  error: ownText().nullable().describe('Why the import has failed. Null if it has not.'),
  createdAt: z.iso.datetime().describe('When the file was received: ISO 8601 in UTC.'),
  updatedAt: z.iso.datetime().describe('When the import last made progress: ISO 8601 in UTC.'),
  startedAt: z.iso.datetime().nullable().describe('When it was started. Null if it was not.'),
};

export const importObject = z.object(importParts);
export type ImportObject = z.output<typeof importObject>;

/** One import, with what its start would take. */
export const wholeImportObject = z.object({
  ...importParts,
  limits: z
    .object({
      dynamicQr: limitObject.describe('Dynamic codes: one for each row that is ready.'),
      aliases: limitObject.describe('Aliases: one for each short link of such a row.'),
    })
    .nullable()
    .describe('What the start takes of the plan. Null once it is started or cancelled.'),
});
export type WholeImportObject = z.output<typeof wholeImportObject>;

export const importQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of imports in a page.'),
  cursor: boundedText(cursorLengthMax)
    .optional()
    .describe('The `pagination.nextCursor` of the previous page. Omit it for the first page.'),
});

const pagination = z
  .object({
    limit: z.int().describe('The largest number of entries in the page.'),
    cursor: ownText().nullable().describe('The `cursor` of the request. Null on the first page.'),
    nextCursor: ownText().nullable().describe('The `cursor` of the next page. Null on the last page.'),
  })
  .describe('The position of the page.');

export const importList = z.object({
  data: z.array(importObject).describe('A page of imports, newest first.'),
  pagination,
});

export const importRowStates = ['waiting', 'ready', 'refused', 'created', 'failed'] as const;
export type ImportRowState = (typeof importRowStates)[number];

export const importRowsQuery = z.object({
  state: z.enum(importRowStates).optional().describe('Only rows in this state.'),
  reason: z.enum(importReasons).optional().describe('Only rows that were refused or failed for this reason.'),
  limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of rows in a page.'),
  cursor: boundedText(cursorLengthMax)
    .optional()
    .describe(
      'The `pagination.nextCursor` of the previous page, with the same filters. Omit it for the first page.',
    ),
});
export type ImportRowsQuery = z.output<typeof importRowsQuery>;

export const importRowObject = z.object({
  row: count.describe(
    'Its number in the file. In a CSV file the header is row 1; entries of JSON pages count from 1.',
  ),
  slug: ownText().nullable().describe('The short code. Null if the row has none.'),
  shortUrl: ownText().nullable().describe('The short link in the other service, as far as the file says it.'),
  destination: ownText().describe(
    `Where it leads. At most ${destinationLengthMax} characters of it are kept.`,
  ),
  state: z
    .enum(importRowStates)
    .describe(
      '`waiting`: it is not checked yet. `ready`: it can be imported. `refused`: the check found that it cannot. `created`: ' +
        'its code was made. `failed`: its code could not be made after all.',
    ),
  codeId: ownText().nullable().describe('The id of its code. Null if it has none.'),
  reason: z
    .enum(importReasons)
    .nullable()
    .describe(`Null if it was not refused and did not fail. ${reasonText}`),
  code: ownText()
    .nullable()
    .describe('The code of the error that a create of this code would get. Null if there is none.'),
  message: ownText().nullable().describe('What is wrong. Null if nothing is.'),
  warnings: z.array(ownText()).describe('What of the link does not move, or was changed.'),
});
export type ImportRowObject = z.output<typeof importRowObject>;

export const importRowList = z.object({
  data: z.array(importRowObject).describe('A page of rows, in the order of the file.'),
  pagination,
});
