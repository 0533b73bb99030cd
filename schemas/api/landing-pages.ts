/** Landing pages, as they are sent, stored and shown. */
import { z } from 'zod';
import { buttons, shownBlocks, socials, theme } from './blocks.ts';
import { describedLike } from './described-like.ts';
import {
  clearableLabel,
  clearableText,
  hostedCreatedAt,
  hostedName,
  hostedStatus,
  hostedUpdatedAt,
  hostedWorkspaceId,
  type Stored,
  viewCount,
} from './hosted-fields.ts';
import { ownText } from './text.ts';
import { clearableWebUrl } from './web-address.ts';

export const landingPagesMax = 100;
const pictureUrlLengthMax = 2000;

const content = {
  headline: clearableLabel(200).describe('The largest line of the page.'),
  subheadline: clearableLabel(200).describe('A line below the headline.'),
  body: clearableText(4000).describe('Text of any number of lines, shown unchanged.'),
  heroImageUrl: clearableWebUrl(pictureUrlLengthMax)
    .optional()
    .describe('The large picture at the top: an absolute http or https URL.'),
  avatarUrl: clearableWebUrl(pictureUrlLengthMax)
    .optional()
    .describe(
      'A round picture, such as a logo: an absolute http or https URL. A page without a picture has the first letter ' +
        'of its headline instead.',
    ),
  buttons,
  socials,
  theme,
};

const fields = {
  name: hostedName.describe('A name for people. Visitors see it if the page has no headline.'),
  status: hostedStatus.optional(),
  ...content,
};

export const createLandingPageBody = z.strictObject(fields);

export const updateLandingPageBody = z.strictObject({ ...fields, name: fields.name.optional() });

/** The content as stored, without unset fields. */
export type LandingPageContent = Stored<z.output<z.ZodObject<typeof content>>>;

const shownText = ownText().nullable();

/** With every field. Times are epoch milliseconds. */
export const landingPageObject = z.object(
  describedLike(fields, {
    pageId: ownText().describe('The id of the page, a part of its address: `{qr_host}/p/{pageId}`.'),
    workspaceId: hostedWorkspaceId,
    name: ownText(),
    status: hostedStatus,
    headline: shownText,
    subheadline: shownText,
    body: shownText,
    heroImageUrl: shownText,
    avatarUrl: shownText,
    buttons: shownBlocks.buttons,
    socials: shownBlocks.socials,
    theme: shownBlocks.theme,
    viewCount,
    createdAt: hostedCreatedAt,
    updatedAt: hostedUpdatedAt,
  }),
);

export type LandingPageObject = z.output<typeof landingPageObject>;

export const landingPageList = z.object({
  pages: z.array(landingPageObject).describe('All landing pages of the workspace, newest first.'),
});
