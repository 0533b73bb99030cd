/** Descriptions of the fields of a landing page, for integrators: Markdown. */
import { blockTexts, hostedTexts, pictureTexts, viewCountText } from './blocks-texts.ts';

export const landingPageTexts = {
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
export const landingPageOwnTexts = {
  pageId: 'The id of the page, a part of its address: `{qr_host}/p/{pageId}`.',
  workspaceId: hostedTexts.workspaceId,
  viewCount: viewCountText,
  createdAt: hostedTexts.createdAt,
  updatedAt: hostedTexts.updatedAt,
} as const;
