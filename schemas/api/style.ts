/**
 * A style: all its keys, as given and as stored. Nothing is filled in: a missing key means the renderer's default, or
 * the value of the preset or brand kit; a given key overrides those.
 *
 * An update changes the stored style by these rules:
 * 1. There are two kinds of keys. `width`, `height`, `margin` and `returnType` are for the picture's delivery; each is
 *    replaced if it is sent and kept if it is not. All others are for the look.
 * 2. A look key that is sent replaces that key as a whole: an option object is never merged key by key. An update that
 *    sends any look key and omits `image` drops the logo, and if it omits `frame` drops the frame. All other keys that
 *    are not sent stay.
 * 3. An update without look keys leaves the look as it is, including logo and frame.
 * 4. A preset replaces a brand kit, and a brand kit replaces a preset.
 * 5. A key sent as null is removed. By itself this changes nothing else: it drops neither logo nor frame.
 * 6. A change of any key changes the stored picture.
 */
import { z } from 'zod';
import { logo } from './logo.ts';
import { wholeNumber } from './numbers.ts';
import { boundedArray, boundedText, label, ownText } from './text.ts';

export const returnTypes = ['png', 'svg', 'jpg', 'jpeg', 'webp'] as const;

export const presets = [
  'classic',
  'soft',
  'dots',
  'ocean',
  'sunset',
  'contrast-eyes',
  'menu',
  'bizcard',
  'wifi',
  'event',
  'boutique',
  'cafe',
] as const;

export const shapes = ['square', 'circle'] as const;

export const frameIds = [
  'none',
  'border',
  'scanme',
  'banner',
  'rounded',
  'polaroid',
  'phone',
  'ticket',
  'bubble',
  'ribbon',
] as const;

export const frameFonts = ['sans', 'serif', 'mono', 'display', 'rounded'] as const;

export const dotTypes = ['square', 'dots', 'rounded', 'classy', 'classy-rounded', 'extra-rounded'] as const;
export const cornerTypes = [...dotTypes, 'dot'] as const;
export const errorCorrectionLevels = ['L', 'M', 'Q', 'H'] as const;
export const encodingModes = ['auto', 'numeric', 'alphanumeric', 'byte'] as const;
export const gradientTypes = ['linear', 'radial'] as const;

/** Pixels of a side. */
export const sizeMin = 64;
export const sizeMax = 4096;
/** Modules. */
export const marginMax = 40;
export const frameTextLengthMax = 24;
export const colorStopsMax = 16;

export const notHexColor = 'must be a colour such as #1a2b3c';

export const hexColor = boundedText(7, notHexColor).regex(/^#[0-9a-fA-F]{6}$/, notHexColor);

const fraction = z.number().min(0).max(1);

export const gradient = z.strictObject({
  type: z.enum(gradientTypes).describe('`linear`: along a line. `radial`: from the centre outwards.'),
  rotation: z
    .number()
    .min(-4 * Math.PI)
    .max(4 * Math.PI)
    .optional()
    .describe(
      'The direction of a linear gradient, in radians: 0 runs from left to right, π/2 from top to bottom. ' +
        'Default: 0. A radial gradient has no direction.',
    ),
  colorStops: boundedArray(
    z.strictObject({
      offset: fraction.describe('The position of the colour: 0 is the start of the gradient, 1 its end.'),
      color: hexColor.describe('The colour, `#rrggbb`.'),
    }),
    { min: 2, max: colorStopsMax },
  )
    .refine(
      (stops) => stops.every(({ offset }, index) => index === 0 || offset >= stops[index - 1]!.offset),
      'must be in the order of their offsets',
    )
    .describe('The colours of the gradient, in the order of their offsets.'),
});

const color = z.union([hexColor, gradient], 'must be a colour such as #1a2b3c or a gradient');

const notBackground = 'must be a colour such as #1a2b3c, a gradient or transparent';

const backgroundColor = z.union(
  [
    boundedText('transparent'.length, notBackground).regex(/^(#[0-9a-fA-F]{6}|transparent)$/, notBackground),
    gradient,
  ],
  notBackground,
);

export const frame = z.strictObject({
  id: z.enum(frameIds).describe('The kind of frame. `none` means no frame.'),
  text: label(frameTextLengthMax)
    .optional()
    .describe(
      'The caption. A long caption wraps onto two lines. Emoji are drawn in a single colour. `""` means no ' +
        'caption. Default: `Scan me`.',
    ),
  color: color
    .optional()
    .describe(
      'The colour of the frame: `#rrggbb` or a gradient. Default: the colour of the eyes’ outer rings or ' +
        'of the dots, if it is set and is not a gradient; otherwise `#111827`.',
    ),
  textColor: color
    .optional()
    .describe(
      'The colour of the caption: `#rrggbb` or a gradient, with a contrast of at least 3:1 against its ' +
        'background. Default: a colour with enough contrast.',
    ),
  background: backgroundColor
    .optional()
    .describe(
      'The background inside the frame: `#rrggbb`, a gradient, or `transparent`, which shows what is ' +
        'behind the picture and is white in a JPEG. Default: the background of the code, or white if that ' +
        'is transparent.',
    ),
  font: z.enum(frameFonts).optional().describe('The typeface of the caption. Default: `sans`.'),
  uppercase: z.boolean().optional().describe('Whether the caption is in capital letters. Default: false.'),
});

export const qrOptions = z.strictObject({
  errorCorrectionLevel: z
    .enum(errorCorrectionLevels)
    .optional()
    .describe(
      'How much of the symbol may be covered or damaged: about 7 % (`L`), 15 % (`M`), 25 % (`Q`) or 30 % ' +
        '(`H`). Default: `M`, or `H` with a logo.',
    ),
  typeNumber: wholeNumber(0, 40)
    .optional()
    .describe(
      'The version of the symbol, which sets its size: version 1 has 21 modules on a side, each further ' +
        'version 4 more. Default: 0, the smallest version that holds the data.',
    ),
  mode: z
    .enum(encodingModes)
    .optional()
    .describe('How the characters are encoded. Default: `auto`, the shortest encoding.'),
});

export const dotsOptions = z.strictObject({
  type: z.enum(dotTypes).optional().describe('The shape of a module. Default: `square`.'),
  color: color.optional().describe('The colour of the modules: `#rrggbb` or a gradient. Default: `#000000`.'),
});

export const cornersSquareOptions = z.strictObject({
  type: z.enum(cornerTypes).optional().describe('The shape of the rings. Default: the shape of the dots.'),
  color: color
    .optional()
    .describe('The colour of the rings: `#rrggbb` or a gradient. Default: the colour of the dots.'),
});

export const cornersDotOptions = z.strictObject({
  type: z
    .enum(cornerTypes)
    .optional()
    .describe(
      'The shape of the centres. Default: the shape of the dots. In a round ring (`dot`) a centre with ' +
        'corners is a tenth smaller, so that readers do not take the two for one figure.',
    ),
  color: color
    .optional()
    .describe('The colour of the centres: `#rrggbb` or a gradient. Default: the colour of the outer rings.'),
});

export const backgroundOptions = z.strictObject({
  color: backgroundColor
    .optional()
    .describe('The colour: `#rrggbb`, a gradient, or `transparent`. Default: white.'),
  round: fraction.optional().describe('How round the corners are: 0 is square, 1 fully rounded. Default: 0.'),
});

export const imageOptions = z.strictObject({
  imageSize: fraction
    .optional()
    .describe(
      'The longer side of the logo as a fraction of the code’s side without its quiet zone; 0 means no ' +
        'logo. If a logo of this size would hide too much of a code, it is drawn at the largest size at ' +
        'which the code can be read, and `warnings` says so if the size was sent. Default: 0.3.',
    ),
  margin: z
    .number()
    .min(0)
    .max(marginMax)
    .optional()
    .describe('The free space around the logo, in modules. The logo keeps its size. Default: 0.'),
  hideBackgroundDots: z
    .boolean()
    .optional()
    .describe('Whether the modules behind the logo are omitted. Default: true.'),
});

/** The keys of the look. */
export const lookShape = {
  preset: z
    .enum(presets)
    .describe(
      'A predefined look. Fields that are sent with it override it. It is stored by name: a release that ' +
        'redraws a preset also redraws the codes that use it. Must not be given together with `brandKitId`.',
    ),
  brandKitId: boundedText(64)
    .min(1)
    .describe(
      'The `kitId` of a brand kit of the workspace, whose look is used. Fields that are sent with it ' +
        'override it. Must not be given together with `preset`.',
    ),
  shape: z.enum(shapes).describe('The outline of the whole code. Default: `square`.'),
  frame: frame.describe('The frame around the code, and its caption.'),
  qrOptions: qrOptions.describe('How the symbol is encoded.'),
  dotsOptions: dotsOptions.describe('The modules of the code, except its eyes.'),
  cornersSquareOptions: cornersSquareOptions.describe('The outer rings of the three eyes.'),
  cornersDotOptions: cornersDotOptions.describe('The centres of the three eyes.'),
  backgroundOptions: backgroundOptions.describe('The background of the code.'),
  image: logo.describe(
    'A logo for the centre, as a data URI or in base64: PNG, JPEG, GIF, WebP or SVG, at most 1 MB.',
  ),
  imageOptions: imageOptions.describe('How the logo is placed.'),
};

/** The keys of the delivery. */
export const deliveryShape = {
  width: wholeNumber(sizeMin, sizeMax).describe(
    'Pixels. If only one of `width` and `height` is sent, the other follows from the proportions of the ' +
      'frame (at most 4096); without a frame, it is the same. Without both, the picture is 512 × 512 ' +
      'pixels.',
  ),
  height: wholeNumber(sizeMin, sizeMax).describe('Pixels; see `width`.'),
  margin: wholeNumber(0, marginMax).describe('The quiet zone, in modules. 0 removes it. Default: 4.'),
  returnType: z
    .enum(returnTypes)
    .describe(
      'The format of the picture, if the operation has no `format` field. `jpeg` means the same as `jpg`. ' +
        'Default: `png`.',
    ),
};

export const style = z.object({ ...lookShape, ...deliveryShape }).partial();

/** A style as stored and shown: the keys that are set. */
export const savedStyle = style;

export type Style = z.output<typeof style>;

const keysOf = <Shape extends object>(shape: Shape) => Object.keys(shape) as (keyof Shape)[];

export const lookKeys = keysOf(lookShape);
export const deliveryKeys = keysOf(deliveryShape);
export const styleKeys = [...lookKeys, ...deliveryKeys];

/** In answers: weaknesses of a style that readers can still read; absent if there are no weaknesses. */
export const styleWarnings = z
  .array(ownText())
  .readonly()
  .optional()
  .describe(
    'Weaknesses of the style, such as weak colours: readers can read the code, but some may fail. Omitted ' +
      'if there are no weaknesses.',
  );

/** The keys that a create accepts. */
export const styleFields = style.shape;

type Clearable<Shape extends Record<string, z.ZodType>> = {
  [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key]>>;
};

/** The description becomes the field's: on the value, it would stand in the branch beside null. */
const clearable = <Shape extends Record<string, z.ZodType>>(shape: Shape) =>
  Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [
      key,
      value
        .meta({ description: undefined })
        .nullable()
        .optional()
        .describe(`${value.description} \`null\` removes it and changes nothing else.`),
    ]),
  ) as Clearable<Shape>;

/** The keys that an update accepts: null removes a key. */
export const styleUpdateFields = clearable({ ...lookShape, ...deliveryShape });

export type StyleUpdate = { [Key in keyof Style]?: Style[Key] | null };

/** The refusal of a style as a whole: a preset and a brand kit exclude each other. */
export const whyStyleRefused = ({
  preset,
  brandKitId,
}: Pick<StyleUpdate, 'preset' | 'brandKitId'>): string | undefined =>
  typeof preset === 'string' && typeof brandKitId === 'string'
    ? 'must not be given together with preset'
    : undefined;
