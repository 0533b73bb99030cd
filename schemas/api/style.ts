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
import { described } from './described.ts';
import { wholeNumber } from './numbers.ts';
import {
  backgroundTexts,
  clearedText,
  colorStopTexts,
  dotsTexts,
  eyeTexts,
  frameTexts,
  gradientTexts,
  imageOptionsTexts,
  qrOptionsTexts,
  styleTexts,
} from './style-texts.ts';
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
/** Bytes of a logo's file. */
export const logoBytesMax = 2 ** 20;
export const colorStopsMax = 16;

export const notHexColor = 'must be a colour such as #1a2b3c';

export const hexColor = boundedText(7, notHexColor).regex(/^#[0-9a-fA-F]{6}$/, notHexColor);

const fraction = z.number().min(0).max(1);

export const gradient = z.strictObject(
  described(
    {
      type: z.enum(gradientTypes),
      rotation: z
        .number()
        .min(-4 * Math.PI)
        .max(4 * Math.PI)
        .optional(),
      colorStops: boundedArray(
        z.strictObject(described({ offset: fraction, color: hexColor }, colorStopTexts)),
        {
          min: 2,
          max: colorStopsMax,
        },
      ).refine(
        (stops) => stops.every(({ offset }, index) => index === 0 || offset >= stops[index - 1]!.offset),
        'must be in the order of their offsets',
      ),
    },
    gradientTexts,
  ),
);

const color = z.union([hexColor, gradient], 'must be a colour such as #1a2b3c or a gradient');

const notBackground = 'must be a colour such as #1a2b3c, a gradient or transparent';

const backgroundColor = z.union(
  [
    boundedText('transparent'.length, notBackground).regex(/^(#[0-9a-fA-F]{6}|transparent)$/, notBackground),
    gradient,
  ],
  notBackground,
);

/** The first characters, in base64, of files that can be logos. */
const logoBeginnings: [type: string, beginning: RegExp][] = [
  ['png', /^iVBORw0KGgo/],
  ['jpeg', /^\/9j\//],
  ['gif', /^R0lGOD/],
  ['webp', /^UklGR[\w+/]{6}XRUJQ/],
  // `<sv`, `<?x`, `<!-` or `<!D`, perhaps after a byte order mark.
  ['svg+xml', /^(77u\/)?(PHN2|PD94|PCEt|PCFE)/],
];

const dataUri = /^data:image\/(png|jpe?g|gif|webp|svg\+xml);base64,/i;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Four characters encode three bytes. */
const logoBase64LengthMax = Math.ceil(logoBytesMax / 3) * 4;
/** `data:image/svg+xml;base64,` */
const dataUriHeadLengthMax = 26;
const logoTooLarge = 'must not be larger than 1 MB';
const pictureWords = 'a PNG, JPEG, GIF, WebP or SVG picture as a data URI or in base64';
const notLogoText = `must be a string, ${pictureWords}`;

const whyNoLogo = (text: string): string | undefined => {
  const head = dataUri.exec(text);
  const body = text.slice(head?.[0].length ?? 0);
  if (body.length > logoBase64LengthMax) return logoTooLarge;
  if (!base64.test(body) || body.length % 4 !== 0) return `must be ${pictureWords}`;
  const named = head?.[1]?.toLowerCase().replace(/^jpg$/, 'jpeg');
  const found = logoBeginnings.find(([, beginning]) => beginning.test(body))?.[0];
  if (found === undefined || (named !== undefined && named !== found))
    return `must be ${pictureWords}, and of the type that the data URI names`;
  return undefined;
};

const logo = boundedText(logoBase64LengthMax + dataUriHeadLengthMax, logoTooLarge, notLogoText).superRefine(
  (text, context) => {
    const message = whyNoLogo(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  },
);

/** The keys of the look. */
export const lookShape = {
  preset: z.enum(presets),
  brandKitId: boundedText(64).min(1),
  shape: z.enum(shapes),
  frame: z.strictObject(
    described(
      {
        id: z.enum(frameIds),
        text: label(frameTextLengthMax).optional(),
        color: color.optional(),
        textColor: color.optional(),
        background: backgroundColor.optional(),
        font: z.enum(frameFonts).optional(),
        uppercase: z.boolean().optional(),
      },
      frameTexts,
    ),
  ),
  qrOptions: z.strictObject(
    described(
      {
        errorCorrectionLevel: z.enum(errorCorrectionLevels).optional(),
        typeNumber: wholeNumber(0, 40).optional(),
        mode: z.enum(encodingModes).optional(),
      },
      qrOptionsTexts,
    ),
  ),
  dotsOptions: z.strictObject(
    described({ type: z.enum(dotTypes).optional(), color: color.optional() }, dotsTexts),
  ),
  cornersSquareOptions: z.strictObject(
    described({ type: z.enum(cornerTypes).optional(), color: color.optional() }, eyeTexts),
  ),
  cornersDotOptions: z.strictObject(
    described({ type: z.enum(cornerTypes).optional(), color: color.optional() }, eyeTexts),
  ),
  backgroundOptions: z.strictObject(
    described(
      {
        color: backgroundColor.optional(),
        round: fraction.optional(),
      },
      backgroundTexts,
    ),
  ),
  image: logo,
  imageOptions: z.strictObject(
    described(
      {
        imageSize: fraction.optional(),
        margin: z.number().min(0).max(marginMax).optional(),
        hideBackgroundDots: z.boolean().optional(),
      },
      imageOptionsTexts,
    ),
  ),
};

/** The keys of the delivery. */
export const deliveryShape = {
  width: wholeNumber(sizeMin, sizeMax),
  height: wholeNumber(sizeMin, sizeMax),
  margin: wholeNumber(0, marginMax),
  returnType: z.enum(returnTypes),
};

const style = z.object(described(z.object({ ...lookShape, ...deliveryShape }).partial().shape, styleTexts));

/** A style as stored and shown: the keys that are set. */
export const savedStyle = style;

export type Style = z.output<typeof style>;

const keysOf = <Shape extends object>(shape: Shape) => Object.keys(shape) as (keyof Shape)[];

export const lookKeys = keysOf(lookShape);
export const deliveryKeys = keysOf(deliveryShape);
export const styleKeys = [...lookKeys, ...deliveryKeys];

/** In answers: weaknesses of a style that readers can still read; absent if there are no weaknesses. */
export const styleWarnings = z.array(ownText()).readonly().optional().meta({
  description:
    'What of the style readers read and may yet miss, such as weak colours. Absent when all is good.',
});

/** The keys that a create accepts. */
export const styleFields = style.shape;

type Clearable<Shape extends Record<string, z.ZodType>> = {
  [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key]>>;
};

const clearable = <Shape extends Record<string, z.ZodType>>(shape: Shape) =>
  Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [
      key,
      value
        .nullable()
        .optional()
        .meta({ description: `${styleTexts[key as keyof Style]} ${clearedText}` }),
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
