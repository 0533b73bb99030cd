/** The common blocks of hosted pages: buttons, socials, theme. */
import { z } from 'zod';
import { describedLike } from './described-like.ts';
import { givenEntryId, identifiedList, optionalLabel, visibleLabel } from './hosted-fields.ts';
import { whyNoLink, whyNoSocialUrl } from './links.ts';
import { notHexColor } from './style.ts';
import { boundedText, ownText } from './text.ts';
import { whyNoWebUrl } from './web-address.ts';

export const buttonsMax = 12;
export const socialsMax = 12;
const destinationLengthMax = 2000;
const socialUrlLengthMax = 500;

export const socialPlatforms = [
  'website',
  'twitter',
  'instagram',
  'facebook',
  'linkedin',
  'youtube',
  'tiktok',
  'github',
  'email',
  'whatsapp',
  'custom',
] as const;

const destination = boundedText(destinationLengthMax).superRefine((text, context) => {
  const message = whyNoLink(text);
  if (message !== undefined) context.addIssue({ code: 'invalid_format', format: 'url', message });
});

const button = z.strictObject({
  id: givenEntryId('list', 'label'),
  label: visibleLabel(80).describe('The text on the button.'),
  destination: destination.describe(
    'Where the button leads: an `http:`, `https:`, `mailto:` or `tel:` URL, without white space, user ' +
      'name or password.',
  ),
  hint: optionalLabel(120).describe('A smaller line below the label.'),
});

export const buttons = identifiedList(button, {
  field: 'buttons',
  max: buttonsMax,
  word: 'button',
  nameOf: (entry) => entry.label,
}).describe('The buttons, in their order. `null` empties the list.');

export type Button = NonNullable<z.output<typeof buttons>>[number];

const social = z
  .strictObject({
    id: givenEntryId('list', 'platform'),
    platform: z
      .enum(socialPlatforms)
      .describe(
        'The platform whose icon is shown. `custom` has its own `label` and, if given, its own `iconUrl`.',
      ),
    url: boundedText(socialUrlLengthMax).describe(
      'An absolute http or https URL. For `email`, also an address or a `mailto:` URL.',
    ),
    label: optionalLabel(60).describe(
      'The text for screen readers. For `custom` it is required, and also shown. Default: the name of the ' +
        'platform.',
    ),
    iconUrl: boundedText(socialUrlLengthMax)
      .nullable()
      .transform((text) => text || undefined)
      .optional()
      .describe('Only for `custom`: an absolute http or https URL of its icon.'),
  })
  .superRefine(({ platform, url, label, iconUrl }, context) => {
    const refuse = (field: string, message: string | undefined): void => {
      if (message !== undefined) context.addIssue({ code: 'custom', path: [field], message });
    };
    refuse('url', platform === 'email' ? whyNoSocialUrl(url) : whyNoWebUrl(url));
    if (platform === 'custom' && label === undefined) refuse('label', 'is required when platform is custom');
    if (iconUrl !== undefined)
      refuse(
        'iconUrl',
        platform === 'custom' ? whyNoWebUrl(iconUrl) : 'must not be given unless platform is custom',
      );
  });

export const socials = identifiedList(social, {
  field: 'socials',
  max: socialsMax,
  word: 'social',
  nameOf: (entry) => entry.platform,
}).describe('Links to profiles, in their order. `null` empties the list.');

export type Social = NonNullable<z.output<typeof socials>>[number];

/** A blank colour means none. */
const color = boundedText(7, notHexColor)
  .regex(/^(#[0-9a-fA-F]{6}|\s*)$/, notHexColor)
  .nullable()
  .transform((text) => text?.trim() || undefined)
  .optional();

/** Each sets colours, a pair of fonts, and the forms of a page. */
export const themeNames = ['paper', 'ink', 'market', 'noir'] as const;

export type ThemeName = (typeof themeNames)[number];

/** A blank name means none. */
const themeName = z
  .preprocess(
    (given) => (typeof given === 'string' && given.trim() === '' ? null : given),
    z.enum(themeNames).nullable(),
  )
  .transform((given) => given ?? undefined)
  .optional();

const themeFields = z.strictObject({
  name: themeName.describe(
    'A design with colours, a pair of fonts and forms of its own. `paper`: a printed card, in Playfair Display and ' +
      'Source Serif. `ink`: a poster in one ink, in Inter and JetBrains Mono. `market`: a market stall, in Rubik and ' +
      'Nunito. `noir`: a film at night, dark by day, too, in Bebas Neue and Rubik. The colours below take the place of ' +
      'its own. A blank value is ignored.',
  ),
  background: color.describe('The colour of the page, `#rrggbb`. A blank value is ignored.'),
  text: color.describe(
    'The colour of the text, `#rrggbb`. If it would be unreadable, a darker or lighter colour of the same ' +
      'hue is used. A blank value is ignored.',
  ),
  accent: color.describe('The colour of buttons and links, `#rrggbb`. A blank value is ignored.'),
});

export const theme = themeFields
  .nullable()
  .transform((given) => given ?? {})
  .optional()
  .describe(
    'The design and the colours of the page. Colours that are omitted follow the visitor’s light or dark scheme.',
  );

export type Theme = NonNullable<z.output<typeof theme>>;

const shown = ownText();
const shownText = shown.optional();

const shownButton = z.object(
  describedLike(button.shape, { id: shown, label: shown, destination: shown, hint: shownText }),
);

const shownSocial = z.object(
  describedLike(social.shape, {
    id: shown,
    platform: z.enum(socialPlatforms),
    url: shown,
    label: shownText,
    iconUrl: shownText,
  }),
);

/** The blocks in answers. */
export const shownBlocks = describedLike(
  { buttons, socials, theme },
  {
    buttons: z.array(shownButton),
    socials: z.array(shownSocial),
    theme: z.object(
      describedLike(themeFields.shape, {
        name: z.enum(themeNames).optional(),
        background: shownText,
        text: shownText,
        accent: shownText,
      }),
    ),
  },
);
