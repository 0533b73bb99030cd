/** The look of hosted pages: the blocks that all kinds share. */
export {
  buttonList,
  type HeadParts,
  monogram,
  pageFooter,
  pageHead,
  paragraphs,
  socialRow,
} from './blocks.ts';
export { controlStyle, fieldStyle, ownerStyle, renderHosted } from './hosted-shell.ts';
export { detectLanguage, storedLanguage } from './language.ts';
export { linkedText } from './linked-text.ts';
export { linkOf } from './links.ts';
export { createPictures, type PictureOptions, type Pictures } from './pictures.ts';
export {
  type Status,
  type StatusOptions,
  type StatusOwner,
  statusOfError,
  statusPage,
} from './status-page.ts';
export { mapInSteps } from './steps.ts';
