/**
 * Brand kits: named styles in the builder's terms (rotations in degrees, switches for gradients), as they are sent,
 * stored and shown. Null or an empty text removes a field; frame `none` means no frame.
 */
import { z } from 'zod';
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

const color = boundedText(7, notHexColor)
  .regex(/^(#[0-9a-fA-F]{6})?$/, notHexColor)
  .nullable()
  .transform(emptyToNull);
const endColor = (what: string, enabled: string) =>
  color.describe(
    `The colour in which the gradient of ${what} ends, \`#rrggbb\`. Without it, \`${enabled}\` has no effect.`,
  );
const degrees = z.number().min(0).max(360).nullable();
const fraction = z.number().min(0).max(1).nullable();
const modules = z.number().min(0).max(marginMax).nullable();
const toggle = z.boolean().nullable();
const gradientStyle = z.enum(gradientTypes).nullable();
const rotation = (what: string) =>
  degrees.describe(
    `The direction of the linear gradient of ${what}, in degrees: 0 runs from left to right, 90 from top to ` +
      'bottom. Default: 0.',
  );

/** The optional fields of a kit. */
const clearableFields = {
  dotType: z.enum(dotTypes).nullable().describe('The shape of a module. Default: `rounded`.'),
  cornerType: z
    .enum(kitCornerTypes)
    .nullable()
    .describe('The shape of the outer rings of the eyes. Default: `extra-rounded`.'),
  cornerDotType: z
    .enum(kitCornerDotTypes)
    .nullable()
    .describe('The shape of the centres of the eyes. Default: the shape of the dots.'),
  logoUrl: clearableWebUrl(logoUrlLengthMax).describe(
    'An absolute http or https URL of the logo: PNG, JPEG, GIF, WebP or SVG, at most 1 MB, not at a ' +
      'private address.',
  ),
  sortOrder: wholeNumber(-(2 ** 31), 2 ** 31 - 1)
    .nullable()
    .describe('The position in the list. The smallest number comes first; kits without a number come last.'),
  gradientEnabled: toggle.describe(
    'Whether the dots have a gradient, which ends in `gradientColor`. Default: false.',
  ),
  gradientMidEnabled: toggle.describe(
    'Whether the gradient of the dots passes through `gradientMidColor`. Default: false.',
  ),
  bgGradientEnabled: toggle.describe(
    'Whether the background has a gradient, which ends in `bgGradientColor2`. Default: false.',
  ),
  eyeGradientEnabled: toggle.describe(
    'Whether the outer rings of the eyes have a gradient, which ends in `eyeGradientColor2`. Default: false.',
  ),
  eyeDotGradientEnabled: toggle.describe(
    'Whether the centres of the eyes have a gradient, which ends in `eyeDotGradientColor2`. Default: false.',
  ),
  transparentBg: toggle.describe(
    'Whether the background is transparent, instead of `backgroundColor`. Default: false.',
  ),
  logoHideDots: toggle.describe('Whether the modules behind the logo are omitted. Default: true.'),
  frameUppercase: toggle.describe('Whether the caption is in capital letters. Default: false.'),
  gradientColor: endColor('the dots', 'gradientEnabled'),
  gradientMidColor: color.describe('The colour in the middle of the gradient of the dots, `#rrggbb`.'),
  bgGradientColor2: endColor('the background', 'bgGradientEnabled'),
  eyeColor: color.describe(
    'The colour of the outer rings of the eyes, `#rrggbb`. Default: the colour of the dots.',
  ),
  eyeGradientColor2: endColor('the outer rings of the eyes', 'eyeGradientEnabled'),
  eyeDotColor: color.describe(
    'The colour of the centres of the eyes, `#rrggbb`. Default: the colour of the outer rings.',
  ),
  eyeDotGradientColor2: endColor('the centres of the eyes', 'eyeDotGradientEnabled'),
  frameColor: color.describe(
    'The colour of the frame, `#rrggbb`. Default: the colour of the eyes’ outer rings or of the dots, if ' +
      'it is not a gradient; otherwise `#111827`.',
  ),
  frameTextColor: color.describe(
    'The colour of the caption, `#rrggbb`. Default: a colour that is legible on its background.',
  ),
  frameBgColor: color.describe(
    'The background inside the frame, `#rrggbb`. Default: the background of the code, or white if that is ' +
      'transparent.',
  ),
  gradientStyle: gradientStyle.describe('The kind of gradient of the dots. Default: `linear`.'),
  bgGradientStyle: gradientStyle.describe('The kind of gradient of the background. Default: `linear`.'),
  eyeGradientStyle: gradientStyle.describe(
    'The kind of gradient of the outer rings of the eyes. Default: `linear`.',
  ),
  eyeDotGradientStyle: gradientStyle.describe(
    'The kind of gradient of the centres of the eyes. Default: `linear`.',
  ),
  gradientRotation: rotation('the dots'),
  bgGradientRotation: rotation('the background'),
  eyeGradientRotation: rotation('the outer rings of the eyes'),
  eyeDotGradientRotation: rotation('the centres of the eyes'),
  bgRound: fraction.describe(
    'How round the corners of the background are: 0 is square, 1 fully rounded. Default: 0.',
  ),
  logoSize: fraction.describe(
    'The longer side of the logo as a fraction of the code’s side without its quiet zone; 0 means no logo. ' +
      'If a logo of this size would hide too much of a code, it is drawn at the largest size at which the ' +
      'code can be read, and `warnings` says so if the size is set. Default: 0.3.',
  ),
  margin: modules.describe(
    'The quiet zone, in modules, rounded to a whole number. 0 removes it. Default: 4.',
  ),
  logoMargin: modules.describe('The free space around the logo, in modules. Default: 0.'),
  shape: z.enum(shapes).nullable().describe('The outline of the whole code. Default: `square`.'),
  errorCorrection: z
    .enum(errorCorrectionLevels)
    .nullable()
    .describe(
      'How much of the symbol may be covered or damaged: about 7 % (`L`), 15 % (`M`), 25 % (`Q`) or 30 % ' +
        '(`H`). Default: `M`, or `H` with a logo.',
    ),
  frameId: z
    .enum(frameIds)
    .nullable()
    .transform((id) => (id === 'none' ? null : id))
    .describe('The frame around the code. `none` means no frame and is not stored.'),
  frameFont: z.enum(frameFonts).nullable().describe('The typeface of the caption. Default: `sans`.'),
  frameText: label(frameTextLengthMax)
    .nullable()
    .transform(emptyToNull)
    .describe('The caption of the frame. Default: `Scan me`.'),
};

const clearables = z.object(clearableFields).partial();

type Clearables = z.output<typeof clearables>;

const base = {
  primaryColor: hexColor.describe('The colour of the dots, `#rrggbb`. A gradient starts with it.'),
  backgroundColor: hexColor.describe('The colour behind the code, `#rrggbb`. A gradient starts with it.'),
};

const name = requiredLabel(brandKitNameLengthMax).describe('A human-readable name.');

export const createBrandKitBody = z.strictObject({ name, ...base, ...clearables.shape });

export const updateBrandKitBody = z.strictObject({
  name: name.optional(),
  primaryColor: base.primaryColor.optional(),
  backgroundColor: base.backgroundColor.optional(),
  ...clearables.shape,
});

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

/** The fields of an answer, each with its description in a request. */
const describedAlike = <Shape extends { [Name in keyof Clearables]: z.ZodType }>(shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([key, field]) => [
      key,
      field.describe(clearableFields[key as keyof Clearables].description!),
    ]),
  ) as Shape;

const shownFields = describedAlike({
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
});

/** With every field that is set. Times are epoch milliseconds. */
export const brandKitObject = z.object({
  kitId: ownText().describe('The id of the kit, for `brandKitId`.'),
  workspaceId: ownText().describe('The id of the workspace that the kit belongs to.'),
  name: ownText().describe(name.description!),
  createdBy: ownText().describe('The id of the API key that created the kit.'),
  ...base,
  ...shownFields,
  createdAt: z.int().describe('When the kit was created, in milliseconds since 1970.'),
  updatedAt: z.int().describe('When the kit was last changed, in milliseconds since 1970.'),
});

/** The answers of a create and an update. */
export const changedBrandKitObject = brandKitObject.extend({ warnings: styleWarnings });

export type BrandKitObject = z.output<typeof brandKitObject>;

export const brandKitList = z.object({
  brandKits: z.array(brandKitObject).describe('All kits of the workspace.'),
});
