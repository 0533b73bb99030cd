/** /api/qr/codes/bulk/upload and /template: many dynamic codes from a spreadsheet. */
import type { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { templateQuery, uploadQuery, uploadRowsMax } from '#schemas/api/upload.ts';
import { type Operation, type OperationRequest, operation } from '../../../api/http/operation.ts';
import type { Reply } from '../../../api/idempotency/reply.ts';
import type { SpreadsheetBounds } from '../../../platform/spreadsheets/spreadsheet.ts';
import type { SpreadsheetReader } from '../../../platform/spreadsheets/spreadsheet-reader.ts';
import type { BrandKits } from '../../brand-kits/kits.ts';
import type { Submit } from '../engine/submission.ts';
import { templateDocs, uploadDocs } from './docs.ts';
import { readForm, type UploadForm, uploadForm, uploadLimit } from './form.ts';
import { headerNames } from './header.ts';
import { type ReadRows, readRows } from './read-upload.ts';
import { readSheetRows, type SheetRows } from './sheet-rows.ts';
import { csvTemplate, xlsxTemplate } from './template.ts';

export interface UploadOptions {
  reader: Pick<SpreadsheetReader, 'read'>;
  submit: Submit;
  kits: Pick<BrandKits, 'applicable'>;
  schema: ReturnType<typeof createCodeBodies>['row'];
  /** The URL of an operation. */
  locationOf(bulkId: string): string;
}

const bounds: SpreadsheetBounds = {
  // Plus the header.
  rowsMax: uploadRowsMax + 1,
  columnsMax: 100,
  // A sheet full of logos is better sent with their URLs.
  charactersMax: 12_000_000,
  // More than a logo of a megabyte takes in `styleJson`, the longest column.
  cellCharactersMax: 2_000_000,
};

type Request = OperationRequest<{ dryRun: boolean }, UploadForm>;

/** A longer logo is replaced by its length: the logo of the whole upload would be in the answer 500 times. */
const shownImageCharactersMax = 200;

const shownImage = (image: unknown): unknown =>
  typeof image === 'string' && image.length > shownImageCharactersMax
    ? `an image of ${image.length} characters`
    : image;

/** Hides passwords and long logos. */
const shown = ({ password, image, ...body }: Record<string, unknown>) => ({
  ...body,
  ...(password !== undefined && { password: '***' }),
  ...(image !== undefined && { image: shownImage(image) }),
});

const reportOf = (sheet: SheetRows, { valid, invalid, warnings }: ReadRows, isSubmitted: boolean) => ({
  sheetRows: sheet.rows.length,
  submitted: isSubmitted ? valid.length : 0,
  invalid,
  warnings: [...sheet.warnings.map((message) => ({ message })), ...warnings],
  ...(sheet.source && { source: sheet.source }),
});

const notSubmitted = (sheet: SheetRows, read: ReadRows, dryRun: boolean): Reply => ({
  body: {
    bulkId: null,
    ...reportOf(sheet, read, false),
    ...(dryRun && {
      rows: read.valid.map(({ number, uid, body }) => ({ row: number, uid, body: shown(body) })),
    }),
  },
});

const createUpload =
  ({ reader, submit, kits, schema, locationOf }: UploadOptions) =>
  async ({ principal, body: form, query: { dryRun }, create }: Request): Promise<Reply> => {
    const { workspaceId } = principal;
    const { style, mapping } = readForm(form);
    const table = await reader.read(form.file.parts, bounds, workspaceId, headerNames(mapping));
    const sheet = readSheetRows(table, { source: form.source, mapping });
    const now = new Date();
    const read = await readRows(sheet, { schema, kits, workspaceId, batchStyle: style, now });
    if (dryRun || read.valid.length === 0) return notSubmitted(sheet, read, dryRun);
    return submit({
      principal,
      create,
      kind: 'create',
      rows: read.valid.map(({ uid, body }) => ({ uid, bodyOf: () => body })),
      quota: 'dynamicQr',
      locationOf,
      fields: reportOf(sheet, read, true),
    });
  };

const templates = {
  csv: { type: 'text/csv; charset=utf-8', write: csvTemplate },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: xlsxTemplate },
} as const;

export const createUploadOperations = (options: UploadOptions): Operation[] => [
  operation({
    method: 'post',
    path: '/api/qr/codes/bulk/upload',
    callLimit: 'bulk',
    query: uploadQuery,
    body: uploadForm,
    multipart: uploadLimit,
    creates: { quota: 'bulkOrders', rowQuota: 'dynamicQr' },
    docs: uploadDocs,
    handle: createUpload(options),
  }),
  operation({
    method: 'get',
    path: '/api/qr/codes/bulk/template',
    query: templateQuery,
    docs: templateDocs,
    async handle({ query: { format } }) {
      const { type, write } = templates[format];
      return {
        headers: {
          'content-type': type,
          'content-disposition': `attachment; filename="codes.${format}"`,
        },
        body: await write(),
      };
    },
  }),
];
