/** A text, to read and to copy. Also the view of a payload that is not of its type. */
import { html } from 'hono/html';
import type { PageContent } from '../layout.ts';
import { statusLine } from './parts.ts';

export const showText = (payload: string): PageContent => ({
  icon: 'text',
  title: 'This code says',
  body: html`<div class="card"><p class="text" id="text" dir="auto">${payload}</p></div>
<button class="button" type="button" data-copy="text" hidden>Copy the text</button>
${statusLine}`,
});
