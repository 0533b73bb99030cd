/** The logo of a row in a bulk call: a short one inline, or its URL. */
import type { z } from 'zod';
import { logoUrlLengthMax } from './brand-kits.ts';
import { lookShape } from './style.ts';
import { boundedText } from './text.ts';
import { whyNoWebUrl } from './web-address.ts';

/** Characters of an inline logo; a thousand rows share the body of one call. */
export const inlineLogoLengthMax = 200_000;

/** Whether an `image` is a logo's URL: neither base64 nor a data URI begins like this. */
export const isLogoUrl = (image: string): boolean => /^https?:/i.test(image);

const tooLong = `must have at most ${inlineLogoLengthMax} characters in a row; give the http or https URL of a larger logo, or a brand kit`;

const longUrl = `must have at most ${logoUrlLengthMax} characters as a URL`;

const checkLogo = (image: string, context: z.RefinementCtx): void => {
  if (isLogoUrl(image) && image.length > logoUrlLengthMax)
    return context.addIssue({ code: 'custom', message: longUrl });
  const message = isLogoUrl(image)
    ? whyNoWebUrl(image)
    : lookShape.image.safeParse(image).error?.issues[0]?.message;
  if (message !== undefined) context.addIssue({ code: 'custom', message });
};

export const rowLogo = boundedText(inlineLogoLengthMax, tooLong).superRefine(checkLogo);

export const rowLogoText =
  'A logo for the centre. Give its http or https URL: up to 1 MB of PNG, JPEG, GIF, WebP or SVG, which is ' +
  'fetched once and stored with the code. Or give the logo itself as a data URI or in base64, at most ' +
  `${inlineLogoLengthMax} characters.`;
