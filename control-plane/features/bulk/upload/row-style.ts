/**
 * The look of a row, later parts over earlier ones: the look of the whole upload, or in its place the row's preset or
 * brand kit; the columns primaryColor, backgroundColor and frameText; styleJson.
 */
import { frameTextLengthMax, hexColor, presets, type Style } from '#schemas/api/style.ts';
import { messageOf } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { presetStyles } from '../../../rendering/index.ts';
import type { Cells } from './columns.ts';
import { attempt, type Fault, RowRefusal, refuseCell } from './faults.ts';
import { mergeStyles, readStyleJson } from './style-json.ts';

/** The frame of a caption if the look has none. */
const captionFrame = 'scanme';

export interface RowStyle {
  /** Fields of a create; not checked yet. */
  style: Record<string, unknown>;
  warnings: string[];
}

/** The frame of a brand kit. @throws {ClientError} naming brandKitId */
export type FrameOfKit = (kitId: string) => Promise<string | undefined>;

const checkColor = (column: 'primaryColor' | 'backgroundColor', cells: Cells): Fault[] => {
  const color = cells[column];
  if (color === undefined || hexColor.safeParse(color).success) return [];
  const hint = hexColor.safeParse(`#${color}`).success ? `; did you mean #${color}?` : '';
  return [{ column, message: `${column} must be a colour such as #1a2b3c; given: ${quoted(color)}${hint}` }];
};

const checkCaption = ({ frameText = '' }: Cells): Fault[] =>
  frameText.length <= frameTextLengthMax
    ? []
    : [
        {
          column: 'frameText',
          message: `frameText must have at most ${frameTextLengthMax} characters; given: ${frameText.length}`,
        },
      ];

const presetOf = (given: string): (typeof presets)[number] =>
  presets.find((preset) => preset === given.toLowerCase()) ??
  refuseCell('preset', `must be one of ${presets.join(', ')}; given: ${quoted(given)}`);

/** The look that the columns change: the row's own, or else the upload's. */
const baseOf = ({ preset, brandKitId }: Cells, batchStyle: Style): Style => {
  if (preset !== undefined && brandKitId !== undefined)
    refuseCell('brandKitId', 'must not be given together with preset');
  if (preset !== undefined) return { preset: presetOf(preset) };
  return brandKitId === undefined ? batchStyle : { brandKitId };
};

const frameOf = async ({ frame, preset, brandKitId }: Style, frameOfKit: FrameOfKit): Promise<string> => {
  const named = preset ? presetStyles[preset].frame?.id : brandKitId && (await frameOfKit(brandKitId));
  const id = frame?.id ?? named;
  return id === undefined || id === 'none' ? captionFrame : id;
};

const kitFault = (error: unknown): never => {
  throw new RowRefusal([{ column: 'brandKitId', message: messageOf(error) }]);
};

/**
 * @param batchStyle of the whole upload; checked
 * @param frameOfKit called for each row with a kit, so that a kit that cannot be applied is reported
 * @throws {RowRefusal}
 */
export const readStyle = async (
  cells: Cells,
  batchStyle: Style,
  frameOfKit: FrameOfKit,
): Promise<RowStyle> => {
  const faults = [
    ...checkColor('primaryColor', cells),
    ...checkColor('backgroundColor', cells),
    ...checkCaption(cells),
  ];
  const { primaryColor, backgroundColor, frameText, styleJson, brandKitId } = cells;
  const base = await attempt(faults, () => baseOf(cells, batchStyle));
  if (base && brandKitId !== undefined) await attempt(faults, () => frameOfKit(brandKitId).catch(kitFault));
  const none = { style: {}, warnings: [] };
  const json = await attempt(faults, () => (styleJson === undefined ? none : readStyleJson(styleJson)));
  if (!base || !json || faults.length > 0) throw new RowRefusal(faults);
  const columns = {
    ...(primaryColor !== undefined && { dotsOptions: { color: primaryColor } }),
    ...(backgroundColor !== undefined && { backgroundOptions: { color: backgroundColor } }),
    ...(frameText !== undefined && { frame: { id: await frameOf(base, frameOfKit), text: frameText } }),
  };
  return { style: mergeStyles(mergeStyles(base, columns), json.style), warnings: json.warnings };
};
