/**
 * A kit is proven before it is stored: a code in the kit's look, at the most common size, must be readable. A refusal
 * names the fields of the kit.
 */
import { isDeepStrictEqual } from 'node:util';
import type { BrandKitFields } from '#schemas/api/brand-kits.ts';
import type { Style } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { warningOfOthers } from '../../rendering/index.ts';
import { styleOfKit } from './style-of-kit.ts';

/**
 * Draws a code of the workspace in a style.
 * @returns warnings about a style that is readable, but not good
 * @throws {ClientError} UNPROCESSABLE naming the field that cannot be drawn or read
 */
export type ProveLook = (workspaceId: string, style: Style) => Promise<readonly string[]>;

/** Stands in for a logo that cannot be fetched: a black square. */
const standInLogo =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAAA1BMVEUAAACnej3aAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAC0lEQVQI12NgQAUAABAAAaHFIcEAAAAASUVORK5CYII=';

/** The kit fields that make up a style field. If there are several, a message means the one with the given value. */
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

/** A message about a style, with the names of the kit's fields. */
export const withKitFields = (message: string, kit: BrandKitFields): string =>
  message.replaceAll(styleField, (found, color: string | undefined) => {
    const name = found.slice(0, found.length - (color?.length ?? 0));
    const fields = kitFields[name];
    if (!fields) return found;
    const given = fields.filter((field) => String(kit[field]).toLowerCase() === color?.trim().toLowerCase());
    return `${given[0] ?? fields[0]}${color ?? ''}`;
  });

/** The fields that a picture shows. */
const lookOf = ({ sortOrder, ...look }: BrandKitFields) => look;

export const looksDifferent = (a: BrandKitFields, b: BrandKitFields): boolean =>
  !isDeepStrictEqual(lookOf(a), lookOf(b));

/**
 * @param logo in base64; undefined if the kit has none, or one that cannot be fetched: then {@link standInLogo} is used
 * @returns warnings about the look, naming fields of the kit
 * @throws {ClientError} UNPROCESSABLE naming a field of the kit
 */
export const proveKit = async (
  prove: ProveLook,
  workspaceId: string,
  fields: BrandKitFields,
  logo: string | undefined,
): Promise<readonly string[]> => {
  try {
    const style = styleOfKit(fields, fields.logoUrl === undefined ? undefined : (logo ?? standInLogo));
    const warnings = await prove(workspaceId, style);
    return warnings.map((warning) => withKitFields(warningOfOthers(warning), fields));
  } catch (error) {
    if (!(error instanceof ClientError && error.code === 'UNPROCESSABLE')) throw error;
    throw new ClientError('UNPROCESSABLE', withKitFields(error.message, fields), {
      cause: error,
      fault: error.fault,
    });
  }
};
