/** What pages show of the owner of a code, as it is sent and shown. */
import { z } from 'zod';
import type { OwnTextName } from '../documents.ts';
import { logoBytesMax, logoDensity, logoShown } from './brand-logo.ts';
import { describedLike } from './described-like.ts';
import { clearableLabel, clearableText } from './hosted-fields.ts';
import { dataUrlLengthMax } from './landing-image.ts';
import { emailLengthMax, phoneLengthMax, whyNoEmail, whyNoPhone } from './links.ts';
import { hexColor } from './style.ts';
import { boundedText, checkedText, ownText } from './text.ts';
import { asciiWebUrl, emptyToNull } from './web-address.ts';

const nameLengthMax = 80;
const urlLengthMax = 2000;
const titleLengthMax = 120;
const textLengthMax = 1000;

const clearable = (lengthMax: number, why: (text: string) => string | undefined) =>
  checkedText(lengthMax, (text) => (text === '' ? undefined : why(text)))
    .nullable()
    .transform(emptyToNull)
    .optional();

const color = hexColor.nullable().optional();

const messageBody = z.strictObject({
  title: clearableLabel(titleLengthMax).describe('The headline. If unset, the usual one.'),
  text: clearableText(textLengthMax).describe(
    'The text below the headline, of any number of lines. If unset, the usual one.',
  ),
});

const message = () => messageBody.nullable().optional();

const textsBody = z.strictObject({
  unknown: message().describe('There is no such code, or no such page.'),
  inactive: message().describe('The code is switched off.'),
  expired: message().describe('The code has expired.'),
  capped: message().describe('The code has been scanned as often as it may be.'),
  password: message().describe('The code asks for its password.'),
} satisfies Record<OwnTextName, z.ZodType>);

/** All of a branding: a field that is absent, null or an empty text is unset. Only a colour must not be empty. */
export const brandingBody = z.strictObject({
  name: clearableLabel(nameLengthMax).describe('Your name, at the top of each page.'),
  logo: boundedText(dataUrlLengthMax)
    .nullable()
    .transform(emptyToNull)
    .optional()
    .describe(
      'Your logo, beside the name: a data URI, `data:image/png;base64,…`, with a PNG, JPEG, GIF or WebP file of ' +
        `at most 5 MB and 50 megapixels. It is shown ${logoShown.height} pixels high, and at most ` +
        `${logoShown.widthMax} pixels wide.`,
    ),
  accent: color.describe('The colour of buttons and links, `#rrggbb`.'),
  background: color.describe('The colour behind everything, `#rrggbb`.'),
  url: asciiWebUrl(urlLengthMax, { mayBeEmpty: true })
    .nullable()
    .transform(emptyToNull)
    .optional()
    .describe('Your website, an http or https URL: pages that lead nowhere have a button to it.'),
  phone: clearable(phoneLengthMax, whyNoPhone).describe(
    'A number to call, without spaces, such as `+4930123456`.',
  ),
  email: clearable(emailLengthMax, whyNoEmail).describe(
    'An address to write to, such as `info@example.com`.',
  ),
  texts: textsBody
    .nullable()
    .optional()
    .describe('Your own words for messages, in your language. All others are in the visitor’s.'),
});
export type BrandingBody = z.output<typeof brandingBody>;

const shown = ownText().nullable();

const messageObject = z.object(describedLike(messageBody.shape, { title: shown, text: shown }));

/** Unset fields are null. */
export const brandingFields = z.object(
  describedLike(brandingBody.shape, {
    name: shown,
    logo: shown.describe(
      `The logo as a data URI: a WebP of at most ${logoDensity * logoShown.widthMax} × ${logoDensity * logoShown.height} ` +
        `pixels and ${logoBytesMax} bytes, made from the file that was sent.`,
    ),
    accent: shown,
    background: shown,
    url: shown,
    phone: shown,
    email: shown,
    texts: z.object(
      describedLike(textsBody.shape, {
        unknown: messageObject.nullable(),
        inactive: messageObject.nullable(),
        expired: messageObject.nullable(),
        capped: messageObject.nullable(),
        password: messageObject.nullable(),
      }),
    ),
  }),
);
export type BrandingFields = z.output<typeof brandingFields>;

export const brandingObject = brandingFields.extend({
  updatedAt: z.iso
    .datetime()
    .nullable()
    .describe('When the branding was last changed, ISO 8601. Null if it has never been set.'),
});
export type BrandingObject = z.output<typeof brandingObject>;
