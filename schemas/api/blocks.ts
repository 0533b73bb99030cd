/** The common blocks of hosted pages: buttons, socials, theme. */
import { z } from 'zod';
import { buttonTexts, socialTexts, themeTexts } from './blocks-texts.ts';
import { described } from './described.ts';
import { entryId, identifiedList, optionalLabel, visibleLabel } from './hosted-fields.ts';
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
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const button = z.strictObject(
  described(
    { id: entryId.optional(), label: visibleLabel(80), destination, hint: optionalLabel(120) },
    buttonTexts,
  ),
);

export const buttons = identifiedList(button, {
  field: 'buttons',
  max: buttonsMax,
  word: 'button',
  nameOf: (entry) => entry.label,
});

export type Button = NonNullable<z.output<typeof buttons>>[number];

const social = z
  .strictObject(
    described(
      {
        id: entryId.optional(),
        platform: z.enum(socialPlatforms),
        url: boundedText(socialUrlLengthMax),
        label: optionalLabel(60),
        iconUrl: boundedText(socialUrlLengthMax)
          .nullable()
          .transform((text) => text || undefined)
          .optional(),
      },
      socialTexts,
    ),
  )
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
});

export type Social = NonNullable<z.output<typeof socials>>[number];

/** A blank colour means none. */
const color = boundedText(7, notHexColor)
  .regex(/^(#[0-9a-fA-F]{6}|\s*)$/, notHexColor)
  .nullable()
  .transform((text) => text?.trim() || undefined)
  .optional();

export const theme = z
  .strictObject(described({ background: color, text: color, accent: color }, themeTexts))
  .nullable()
  .transform((given) => given ?? {})
  .optional();

export type Theme = NonNullable<z.output<typeof theme>>;

const shown = ownText();
const shownText = shown.optional();

export const shownButtons = z.array(
  z.object(described({ id: shown, label: shown, destination: shown, hint: shownText }, buttonTexts)),
);

export const shownSocials = z.array(
  z.object(
    described(
      { id: shown, platform: z.enum(socialPlatforms), url: shown, label: shownText, iconUrl: shownText },
      socialTexts,
    ),
  ),
);

export const shownTheme = z.object(
  described({ background: shownText, text: shownText, accent: shownText }, themeTexts),
);
