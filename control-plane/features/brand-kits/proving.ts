/**
 * A kit is proven before it is stored: a code in nothing but its look, of the size that most are asked for, must be read. What
 * is refused is said in the words of the kit.
 */
import { isDeepStrictEqual } from 'node:util';
import type { BrandKitFields } from '#schemas/api/brand-kits.ts';
import type { Style } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { styleOfKit } from './style-of-kit.ts';

/** Draws a code of the workspace in a style. @throws {ClientError} UNPROCESSABLE naming what of it cannot be drawn or read */
export type ProveLook = (workspaceId: string, style: Style) => Promise<void>;

/** What fills the place of a logo that cannot be had: a black square. */
export const standInLogo =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAAA1BMVEUAAACnej3aAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAC0lEQVQI12NgQAUAABAAAaHFIcEAAAAASUVORK5CYII=';

/** Which fields of a kit make a field of a style. Where several do, the one whose value the message gives is meant. */
const kitFields: Record<string, readonly (keyof BrandKitFields)[]> = {
  'dotsOptions.color': ['primaryColor', 'gradientColor', 'gradientMidColor'],
  'dotsOptions.type': ['dotType'],
  dotsOptions: ['dotType'],
  'cornersSquareOptions.color': ['eyeColor', 'eyeGradientColor2', 'primaryColor'],
  'cornersSquareOptions.type': ['cornerType'],
  'cornersDotOptions.color': ['eyeDotColor', 'eyeDotGradientColor2', 'eyeColor', 'primaryColor'],
  'cornersDotOptions.type': ['cornerDotType'],
  'backgroundOptions.color': ['backgroundColor', 'bgGradientColor2'],
  'backgroundOptions.round': ['bgRound'],
  'imageOptions.imageSize': ['logoSize'],
  'imageOptions.margin': ['logoMargin'],
  'imageOptions.hideBackgroundDots': ['logoHideDots'],
  'qrOptions.errorCorrectionLevel': ['errorCorrection'],
  'frame.text': ['frameText'],
  'frame.font': ['frameFont'],
  'frame.color': ['frameColor'],
  'frame.textColor': ['frameTextColor'],
  'frame.background': ['frameBgColor'],
  image: ['logoUrl'],
};

const styleField =
  /\b(?:(?:dots|corners(?:Square|Dot)|background|image|qr)Options(?:\.[a-zA-Z]+)?|frame\.[a-zA-Z]+|image(?= ))( #[0-9a-f]{6})?/gi;

/** A message about a style, in the words of the kit that it was made from. */
export const inWordsOfKit = (message: string, kit: BrandKitFields): string =>
  message.replaceAll(styleField, (found, color: string | undefined) => {
    const name = found.slice(0, found.length - (color?.length ?? 0));
    const fields = kitFields[name];
    if (!fields) return found;
    const given = fields.filter((field) => String(kit[field]).toLowerCase() === color?.trim().toLowerCase());
    return `${given[0] ?? fields[0]}${color ?? ''}`;
  });

/** All but what is not to be seen. */
const lookOf = ({ sortOrder, ...look }: BrandKitFields) => look;

export const looksDifferent = (a: BrandKitFields, b: BrandKitFields): boolean =>
  !isDeepStrictEqual(lookOf(a), lookOf(b));

/**
 * @param logo in base64; undefined where the kit has one that cannot be had: then something else takes its place
 * @throws {ClientError} UNPROCESSABLE naming a field of the kit
 */
export const proveKit = async (
  prove: ProveLook,
  workspaceId: string,
  fields: BrandKitFields,
  logo: string | undefined,
): Promise<void> => {
  try {
    await prove(
      workspaceId,
      styleOfKit(fields, fields.logoUrl === undefined ? undefined : (logo ?? standInLogo)),
    );
  } catch (error) {
    if (!(error instanceof ClientError && error.code === 'UNPROCESSABLE')) throw error;
    throw new ClientError('UNPROCESSABLE', inWordsOfKit(error.message, fields), { cause: error });
  }
};
