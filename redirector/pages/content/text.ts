/** A text, to read and to copy. Also the view of a payload that does not match its type. */
import { element } from './elements.ts';
import { statusLine, textCard, type View } from './fragments.ts';

export const showText = (payload: string): View => ({
  title: 'This code says',
  body: [
    textCard(payload),
    element(
      'button',
      { class: 'button', type: 'button', 'data-copy': 'text', hidden: true },
      'Copy the text',
    ),
    statusLine,
  ],
});
