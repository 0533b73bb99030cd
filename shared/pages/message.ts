/** A full-page message: in place of the page that somebody asked for. */
import { html } from 'hono/html';
import type { Html } from './html.ts';
import type { Message } from './words.ts';

/** An icon, a title and a sentence. @param more below them */
export const messageBlock = (icon: Html, { title, lead }: Message, more?: Html): Html =>
  html`<main class="page message">
<span class="mark">${icon}</span>
<h1>${title}</h1>
<p class="sub" dir="auto">${lead}</p>
${more}</main>
`;
