/** A number to call. */
import { html } from 'hono/html';
import { parsePhone, writeTelUri } from '#shared/payloads/phone.ts';
import { button, card, copyButton, row, statusLine, type View } from './parts.ts';

export const showPhone = (payload: string): View => {
  const number = parsePhone(payload);
  if (!number) return undefined;
  const { phone } = number;
  return {
    icon: 'phone',
    title: 'Call this number',
    lead: 'Nothing is dialled before you say so.',
    body: html`${card(row('Number', html`<span id="phone">${phone}</span>`, copyButton('phone', 'the number')))}
${button(writeTelUri(number), `Call ${phone}`)}
${statusLine}`,
  };
};
