/**
 * Brand kits: named styles in the builder's terms (rotations in degrees, switches for gradients), as they are sent,
 * stored and shown. Null or an empty text removes a field; frame `none` means no frame.
 */
import { z } from 'zod';
import { described } from './described.ts';
import { kitOwnTexts, kitTexts } from './kit-texts.ts';
import { wholeNumber } from './numbers.ts';
import {
  dotTypes,
  errorCorrectionLevels,
  frameFonts,
  frameIds,
  frameTextLengthMax,
  gradientTypes,
  hexColor,
  marginMax,
  notHexColor,
  shapes,
  styleWarnings,
} from './style.ts';
import { boundedText, label, ownText, requiredLabel } from './text.ts';
import { clearableWebUrl, emptyToNull } from './web-address.ts';

export const brandKitsMax = 50;
export const brandKitNameLengthMax = 80;
export const logoUrlLengthMax = 2000;

export const kitCornerTypes = [...dotTypes, 'dot'] as const;
export const kitCornerDotTypes = [
  'dot',
  'square',
  'rounded',
  'extra-rounded',
  'classy',
  'classy-rounded',
] as const;

const logoUrl = clearableWebUrl(logoUrlLengthMax);

const color = boundedText(7, notHexColor)
  .regex(/^(#[0-9a-fA-F]{6})?$/, notHexColor)
  .nullable()
  .transform(emptyToNull);
const degrees = z.number().min(0).max(360).nullable();
const fraction = z.number().min(0).max(1).nullable();
const modules = z.number().min(0).max(marginMax).nullable();
const toggle = z.boolean().nullable();
const gradientStyle = z.enum(gradientTypes).nullable();

/** The optional fields of a kit. */
const clearables = z
  .object({
    dotType: z.enum(dotTypes).nullable(),
    cornerType: z.enum(kitCornerTypes).nullable(),
    cornerDotType: z.enum(kitCornerDotTypes).nullable(),
    logoUrl,
    sortOrder: wholeNumber(-(2 ** 31), 2 ** 31 - 1).nullable(),
    gradientEnabled: toggle,
    gradientMidEnabled: toggle,
    bgGradientEnabled: toggle,
    eyeGradientEnabled: toggle,
    eyeDotGradientEnabled: toggle,
    transparentBg: toggle,
    logoHideDots: toggle,
    frameUppercase: toggle,
    gradientColor: color,
    gradientMidColor: color,
    bgGradientColor2: color,
    eyeColor: color,
    eyeGradientColor2: color,
    eyeDotColor: color,
    eyeDotGradientColor2: color,
    frameColor: color,
    frameTextColor: color,
    frameBgColor: color,
    gradientStyle,
    bgGradientStyle: gradientStyle,
    eyeGradientStyle: gradientStyle,
    eyeDotGradientStyle: gradientStyle,
    gradientRotation: degrees,
    bgGradientRotation: degrees,
    eyeGradientRotation: degrees,
    eyeDotGradientRotation: degrees,
    bgRound: fraction,
    logoSize: fraction,
    margin: modules,
    logoMargin: modules,
    shape: z.enum(shapes).nullable(),
    errorCorrection: z.enum(errorCorrectionLevels).nullable(),
    frameId: z
      .enum(frameIds)
      .nullable()
      .transform((id) => (id === 'none' ? null : id)),
    frameFont: z.enum(frameFonts).nullable(),
    frameText: label(frameTextLengthMax).nullable().transform(emptyToNull),
  })
  .partial();

type Clearables = z.output<typeof clearables>;

const base = { primaryColor: hexColor, backgroundColor: hexColor };

const name = requiredLabel(brandKitNameLengthMax);

export const createBrandKitBody = z.strictObject(described({ name, ...base, ...clearables.shape }, kitTexts));

export const updateBrandKitBody = z.strictObject(
  described(
    {
      name: name.optional(),
      primaryColor: hexColor.optional(),
      backgroundColor: hexColor.optional(),
      ...clearables.shape,
    },
    kitTexts,
  ),
);

export type CreateBrandKitBody = z.output<typeof createBrandKitBody>;
export type UpdateBrandKitBody = z.output<typeof updateBrandKitBody>;

/** A kit as stored: without null. */
export type BrandKitFields = z.output<z.ZodObject<typeof base>> & {
  [Name in keyof Clearables]: NonNullable<Clearables[Name]> | undefined;
};

const shownText = ownText().optional();
const shown = <Value>(schema: z.ZodNullable<z.ZodType<Value>>) => schema.unwrap().optional();
const switches = shown(toggle);
const rotations = shown(degrees);
const styles = shown(gradientStyle);

/** With every field that is set. Times are epoch milliseconds. */
export const brandKitObject = z.object(
  described(
    {
      kitId: ownText(),
      workspaceId: ownText(),
      name: ownText(),
      createdBy: ownText(),
      ...base,
      dotType: z.enum(dotTypes).optional(),
      cornerType: z.enum(kitCornerTypes).optional(),
      cornerDotType: z.enum(kitCornerDotTypes).optional(),
      logoUrl: shownText,
      sortOrder: z.int().optional(),
      gradientEnabled: switches,
      gradientMidEnabled: switches,
      bgGradientEnabled: switches,
      eyeGradientEnabled: switches,
      eyeDotGradientEnabled: switches,
      transparentBg: switches,
      logoHideDots: switches,
      frameUppercase: switches,
      gradientColor: shownText,
      gradientMidColor: shownText,
      bgGradientColor2: shownText,
      eyeColor: shownText,
      eyeGradientColor2: shownText,
      eyeDotColor: shownText,
      eyeDotGradientColor2: shownText,
      frameColor: shownText,
      frameTextColor: shownText,
      frameBgColor: shownText,
      gradientStyle: styles,
      bgGradientStyle: styles,
      eyeGradientStyle: styles,
      eyeDotGradientStyle: styles,
      gradientRotation: rotations,
      bgGradientRotation: rotations,
      eyeGradientRotation: rotations,
      eyeDotGradientRotation: rotations,
      bgRound: shown(fraction),
      logoSize: shown(fraction),
      margin: shown(modules),
      logoMargin: shown(modules),
      shape: z.enum(shapes).optional(),
      errorCorrection: z.enum(errorCorrectionLevels).optional(),
      frameId: z.enum(frameIds).optional(),
      frameFont: z.enum(frameFonts).optional(),
      frameText: shownText,
      createdAt: z.int(),
      updatedAt: z.int(),
    },
    { ...kitTexts, ...kitOwnTexts },
  ),
);

/** The answers of a create and an update. */
export const changedBrandKitObject = brandKitObject.extend({ warnings: styleWarnings });

export type BrandKitObject = z.output<typeof brandKitObject>;

export const brandKitList = z.object({
  brandKits: z.array(brandKitObject).meta({ description: 'All kits of the workspace.' }),
});
