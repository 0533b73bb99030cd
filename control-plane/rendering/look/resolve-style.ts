/**
 * Resolves a style to its look: one pure function combines the style's keys, its preset or brand kit, and the defaults,
 * so that a style looks the same wherever it comes from.
 */
import type { Style } from '#schemas/api/style.ts';
import { bandOf, isLegibleWhenSmall, legibleColor } from './caption-color.ts';
import type { CornerType, FrameLook, Look, Paint } from './look.ts';
import { presetStyles } from './presets.ts';
import { quietZoneModules } from './quiet-zone.ts';

/**
 * A logo's default share of the code's side. At level H symbols of every size except the smallest are readable with it.
 */
const logoSizeDefault = 0.3;

/** The default caption of frames; an empty text means no caption. */
const frameTextDefault = 'Scan me';

const ink = '#111827';
const paper = '#ffffff';

const merge = <T extends object>(base: T | undefined, own: T | undefined): Partial<T> => {
  const given = Object.entries(own ?? {}).filter(([, value]) => value !== undefined);
  return { ...base, ...(Object.fromEntries(given) as Partial<T>) };
};

/** The colour of a solid paint; undefined for a gradient. */
const solid = (paint: Paint | undefined): string | undefined =>
  typeof paint === 'string' && paint !== 'transparent' ? paint : undefined;

/**
 * @param code its colours are the frame's defaults, the dark one only if it is solid
 * @param presetTextColor was chosen for the preset's frame, and holds in another one if it is as legible there
 */
const resolveFrame = (
  frame: Partial<NonNullable<Style['frame']>>,
  code: { dark: Paint | undefined; light: Paint | 'transparent' },
  presetTextColor: Paint | undefined,
): FrameLook | undefined => {
  const { id, text = frameTextDefault, font = 'sans', uppercase = false } = frame;
  if (id === undefined || id === 'none') return undefined;
  const color = frame.color ?? solid(code.dark) ?? ink;
  const background = frame.background ?? (code.light === 'transparent' ? paper : code.light);
  const band = bandOf({ id, color, background });
  const preferred = band.field === 'frame.color' && background !== 'transparent' ? background : color;
  return {
    id,
    text: uppercase ? text.toUpperCase() : text,
    font,
    color,
    textColor:
      frame.textColor ??
      (presetTextColor !== undefined && isLegibleWhenSmall(presetTextColor, band.paint)
        ? presetTextColor
        : legibleColor([preferred, paper, ink], band.paint)),
    textColorGiven: frame.textColor !== undefined,
    background,
  };
};

/** No scanner reads nine separate dots as the middle of an eye; the round eye looks like them. */
const readable = (type: CornerType): CornerType => (type === 'dots' ? 'dot' : type);

/**
 * @param own the given keys, including the name of a preset if there is one
 * @param kit the brand kit's style in the same keys; a preset excludes it and wins
 */
export const resolveStyle = (own: Style, kit?: Style): Look => {
  const base: Style = own.preset ? presetStyles[own.preset] : (kit ?? {});
  const dots = merge(base.dotsOptions, own.dotsOptions);
  const cornersSquare = merge(base.cornersSquareOptions, own.cornersSquareOptions);
  const cornersDot = merge(base.cornersDotOptions, own.cornersDotOptions);
  const background = merge(base.backgroundOptions, own.backgroundOptions);
  const qr = merge(base.qrOptions, own.qrOptions);
  const logo = merge(base.imageOptions, own.imageOptions);
  // A size of 0 means no logo.
  const image = logo.imageSize === 0 ? undefined : (own.image ?? base.image);
  const dotType = dots.type ?? 'square';
  const backgroundPaint = background.color ?? paper;
  return {
    shape: own.shape ?? base.shape ?? 'square',
    margin: own.margin ?? base.margin ?? quietZoneModules,
    level: qr.errorCorrectionLevel ?? (image === undefined ? 'M' : 'H'),
    version: qr.typeNumber || undefined,
    mode: qr.mode ?? 'auto',
    dots: { type: dotType, paint: dots.color ?? '#000000' },
    cornersSquare: { type: cornersSquare.type ?? dotType, paint: cornersSquare.color },
    cornersDot: { type: readable(cornersDot.type ?? dotType), paint: cornersDot.color },
    background: { paint: backgroundPaint, round: background.round ?? 0 },
    logo:
      image === undefined
        ? undefined
        : {
            image,
            size: logo.imageSize ?? logoSizeDefault,
            isSizeGiven: logo.imageSize !== undefined,
            margin: logo.margin ?? 0,
            hideDots: logo.hideBackgroundDots ?? true,
          },
    frame: resolveFrame(
      { ...merge(base.frame, own.frame), ...(own.preset && { textColor: own.frame?.textColor }) },
      { dark: cornersSquare.color ?? dots.color, light: backgroundPaint },
      own.preset && base.frame?.textColor,
    ),
  };
};
