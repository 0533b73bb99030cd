/** A text, to read and to copy. Also the view of a payload that does not match its type. */
import { copyButton, statusLine, textCard, type View, type Viewer } from './fragments.ts';

export const showText = (payload: string, { words: { text: words } }: Pick<Viewer, 'words'>): View => ({
  title: words.title,
  body: [textCard(payload), copyButton('text', words.copy, 'button primary'), statusLine],
});
