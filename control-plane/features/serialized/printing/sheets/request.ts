/** What sheets were asked for, as it is stored with their job. */
import type { UriFormat } from '#schemas/api/serialized.ts';
import type { SheetCaption } from '#schemas/api/serialized-sheets.ts';
import type { SheetDesign } from '../../../../rendering/index.ts';
import type { Work } from '../../exports/work/kind.ts';

export interface SheetRequest {
  design: SheetDesign;
  captions: readonly SheetCaption[];
  uriFormat: UriFormat;
  /** The position of the first item. */
  from: number;
  pages: number;
  /** Bytes that may be kept for the workspace. */
  keptBytesMax: number;
}

export type SheetWork = Work<SheetRequest>;

/** @param count of the items */
export const pagesOf = ({ places }: Pick<SheetDesign, 'places'>, count: number): number =>
  Math.ceil(count / places.length);
