/** The look of hosted pages: the shell, the style sheet, and the blocks that all kinds share. */
export { readScript, readStyle } from './assets.ts';
export {
  buttonList,
  type HeadParts,
  pageFooter,
  pageHead,
  paragraphs,
  socialRow,
} from './blocks.ts';
export { escaped, escapeText, type Html } from './html.ts';
export { shellIcons } from './icons.ts';
export { detectLanguage, storedLanguage } from './language.ts';
export { linkedText } from './linked-text.ts';
export { linkOf } from './links.ts';
export { createPictures, type PictureOptions, type Pictures } from './pictures.ts';
export { type Listing, renderShell, type ShellParts } from './shell.ts';
export { messageBlock, type Status, type StatusOptions, statusOfError, statusPage } from './status-page.ts';
export { mapInSteps } from './steps.ts';
export { wordsOf } from './texts/index.ts';
export type { MenuWords, Message, Words } from './texts/words.ts';
