/** A table → the rows that can be made, and all faults of the others. */
import type { createCodeBodies } from '#schemas/api/code-bodies.ts';
import type { Style } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { createPause } from '../../../api/http/steps.ts';
import type { BrandKits } from '../../brand-kits/kits.ts';
import { RowRefusal } from './faults.ts';
import { readRow } from './read-row.ts';
import type { FrameOfKit } from './row-style.ts';
import type { SheetRows } from './sheet-rows.ts';

export interface ValidRow {
  number: number;
  uid: string;
  body: Record<string, unknown>;
}

export interface ReadRows {
  valid: ValidRow[];
  invalid: { row: number; column?: string; message: string }[];
  warnings: { row: number; message: string }[];
}

export interface ReadRowsOptions {
  schema: ReturnType<typeof createCodeBodies>['row'];
  kits: Pick<BrandKits, 'applicable'>;
  workspaceId: string;
  batchStyle: Style;
  now: Date;
}

/** Characters of all creates together, the limit of a bulk call: a logo of the whole upload is in each of them. */
const charactersMax = 25 * 2 ** 20;

/** Looks each kit up once. */
const createFrameOfKit = ({
  kits,
  workspaceId,
}: Pick<ReadRowsOptions, 'kits' | 'workspaceId'>): FrameOfKit => {
  const frames = new Map<string, Promise<string | undefined>>();
  const find = async (kitId: string) => (await kits.applicable(workspaceId, kitId)).fields.frameId;
  return (kitId) => {
    const known = frames.get(kitId) ?? find(kitId);
    frames.set(kitId, known);
    return known;
  };
};

const tooMuch = () =>
  new ClientError(
    'UNPROCESSABLE',
    'file has too many rows for its logos, which are in each of them: give a logo by its URL, or by a brand kit',
  );

/** @throws {ClientError} if the rows are too large together, or the upload's brand kit cannot be applied */
export const readRows = async (
  { rows, names }: Pick<SheetRows, 'rows' | 'names'>,
  options: ReadRowsOptions,
): Promise<ReadRows> => {
  const { batchStyle, schema, now } = options;
  const frameOfKit = createFrameOfKit(options);
  if (batchStyle.brandKitId !== undefined) await frameOfKit(batchStyle.brandKitId);
  const read: ReadRows = { valid: [], invalid: [], warnings: [] };
  let characters = 0;
  const pause = createPause();
  for (const row of rows) {
    await pause();
    try {
      const { body, warnings } = await readRow(row, { schema, batchStyle, frameOfKit, now, names });
      characters += JSON.stringify(body).length;
      if (characters > charactersMax) throw tooMuch();
      read.valid.push({ number: row.number, uid: row.uid, body });
      read.warnings.push(...warnings.map((message) => ({ row: row.number, message })));
    } catch (error) {
      if (!(error instanceof RowRefusal)) throw error;
      read.invalid.push(...error.faults.map((fault) => ({ row: row.number, ...fault })));
    }
  }
  return read;
};
