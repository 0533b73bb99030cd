/** Turns a brand kit into a style: the only place that maps its field names to style names. */
import type { BrandKitFields } from '#schemas/api/brand-kits.ts';
import type { Style } from '#schemas/api/style.ts';

type Paint = NonNullable<NonNullable<Style['dotsOptions']>['color']>;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

interface Gradient {
  enabled: boolean | undefined;
  style: 'linear' | 'radial' | undefined;
  /** Degrees. */
  rotation: number | undefined;
  middle?: string | undefined;
  end: string | undefined;
}

/** Without a second colour, a gradient is the first colour. */
const paint = (color: string, { enabled, style = 'linear', rotation, middle, end }: Gradient): Paint => {
  if (!enabled || end === undefined) return color;
  return {
    type: style,
    ...(style === 'linear' && { rotation: radians(rotation ?? 0) }),
    colorStops: [
      { offset: 0, color },
      ...(middle === undefined ? [] : [{ offset: 0.5, color: middle }]),
      { offset: 1, color: end },
    ],
  };
};

/** The fields that are set; undefined if none is. */
const setOnly = <T extends object>(fields: { [Key in keyof T]: T[Key] | undefined }): T | undefined => {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return set.length > 0 ? (Object.fromEntries(set) as T) : undefined;
};

/** An eye without its own colour has the dots' colour; its gradient begins with it. */
const eyePaint = (own: string | undefined, primary: string, gradient: Gradient): Paint | undefined =>
  own === undefined && (!gradient.enabled || gradient.end === undefined)
    ? undefined
    : paint(own ?? primary, gradient);

/** @param image the logo in base64 */
export const styleOfKit = (kit: BrandKitFields, image?: string): Style => {
  const dots = paint(kit.primaryColor, {
    enabled: kit.gradientEnabled,
    style: kit.gradientStyle,
    rotation: kit.gradientRotation,
    middle: kit.gradientMidEnabled ? kit.gradientMidColor : undefined,
    end: kit.gradientColor,
  });
  const eye = eyePaint(kit.eyeColor, kit.primaryColor, {
    enabled: kit.eyeGradientEnabled,
    style: kit.eyeGradientStyle,
    rotation: kit.eyeGradientRotation,
    end: kit.eyeGradientColor2,
  });
  const eyeDot = eyePaint(kit.eyeDotColor, kit.eyeColor ?? kit.primaryColor, {
    enabled: kit.eyeDotGradientEnabled,
    style: kit.eyeDotGradientStyle,
    rotation: kit.eyeDotGradientRotation,
    end: kit.eyeDotGradientColor2,
  });
  const background = paint(kit.backgroundColor, {
    enabled: kit.bgGradientEnabled,
    style: kit.bgGradientStyle,
    rotation: kit.bgGradientRotation,
    end: kit.bgGradientColor2,
  });
  const style: { [Key in keyof Style]: Style[Key] | undefined } = {
    shape: kit.shape,
    // The margin of a style is a whole number of modules.
    margin: kit.margin === undefined ? undefined : Math.round(kit.margin),
    qrOptions: setOnly({ errorCorrectionLevel: kit.errorCorrection }),
    dotsOptions: { type: kit.dotType ?? 'rounded', color: dots },
    cornersSquareOptions: setOnly({ type: kit.cornerType ?? 'extra-rounded', color: eye }),
    cornersDotOptions: setOnly({ type: kit.cornerDotType, color: eyeDot }),
    backgroundOptions: setOnly({
      color: kit.transparentBg ? ('transparent' as const) : background,
      round: kit.bgRound,
    }),
    image,
    imageOptions: setOnly({
      imageSize: kit.logoSize,
      margin: kit.logoMargin,
      hideBackgroundDots: kit.logoHideDots,
    }),
    frame: frameOf(kit),
  };
  return setOnly<Style>(style) ?? {};
};

const frameOf = (kit: BrandKitFields): Style['frame'] => {
  if (kit.frameId === undefined) return undefined;
  const look = setOnly({
    text: kit.frameText,
    color: kit.frameColor,
    textColor: kit.frameTextColor,
    background: kit.frameBgColor,
    font: kit.frameFont,
    uppercase: kit.frameUppercase,
  });
  return { id: kit.frameId, ...look };
};
