/** Landing pages, as they are sent, stored and shown. */
import { z } from 'zod';
import { buttons, shownButtons, shownSocials, shownTheme, socials, theme } from './blocks.ts';
import { blockTexts, hostedTexts, pictureTexts, viewCountText } from './blocks-texts.ts';
import { described } from './described.ts';
import { clearableLabel, clearableText, hostedName, hostedStatus, type Stored } from './hosted-fields.ts';
import { ownText } from './text.ts';
import { clearableWebUrl } from './web-address.ts';

/** Descriptions of the fields of a landing page, for integrators: Markdown. */
const landingPageTexts = {
  name: hostedTexts.name,
  status: hostedTexts.status,
  headline: 'The largest line of the page.',
  subheadline: 'A line below the headline.',
  body: 'Text of any number of lines, shown as it is.',
  heroImageUrl: pictureTexts.heroImageUrl,
  avatarUrl: pictureTexts.avatarUrl,
  ...blockTexts,
} as const;

/** Texts of fields that only answers have. */
const landingPageOwnTexts = {
  pageId: 'The id of the page, a part of its address: `{qr_host}/p/{pageId}`.',
  workspaceId: hostedTexts.workspaceId,
  viewCount: viewCountText,
  createdAt: hostedTexts.createdAt,
  updatedAt: hostedTexts.updatedAt,
} as const;

export const landingPagesMax = 100;
const pictureUrlLengthMax = 2000;

const content = {
  headline: clearableLabel(200),
  subheadline: clearableLabel(200),
  body: clearableText(4000),
  heroImageUrl: clearableWebUrl(pictureUrlLengthMax).optional(),
  avatarUrl: clearableWebUrl(pictureUrlLengthMax).optional(),
  buttons,
  socials,
  theme,
};

export const createLandingPageBody = z.strictObject(
  described({ name: hostedName, status: hostedStatus.optional(), ...content }, landingPageTexts),
);

export const updateLandingPageBody = z.strictObject(
  described({ name: hostedName.optional(), status: hostedStatus.optional(), ...content }, landingPageTexts),
);

/** The content as stored, without unset fields. */
export type LandingPageContent = Stored<z.output<z.ZodObject<typeof content>>>;

const shownText = ownText().nullable();

/** With every field. Times are epoch milliseconds. */
export const landingPageObject = z.object(
  described(
    {
      pageId: ownText(),
      workspaceId: ownText(),
      name: ownText(),
      status: hostedStatus,
      headline: shownText,
      subheadline: shownText,
      body: shownText,
      heroImageUrl: shownText,
      avatarUrl: shownText,
      buttons: shownButtons,
      socials: shownSocials,
      theme: shownTheme,
      viewCount: z.int(),
      createdAt: z.int(),
      updatedAt: z.int(),
    },
    { ...landingPageTexts, ...landingPageOwnTexts },
  ),
);

export type LandingPageObject = z.output<typeof landingPageObject>;

export const landingPageList = z.object({
  pages: z
    .array(landingPageObject)
    .meta({ description: 'All landing pages of the workspace, newest first.' }),
});
