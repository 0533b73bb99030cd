/** A text message to write. */
import { html } from 'hono/html';
import { parseSms, writeSmsUri } from '#shared/payloads/sms.ts';
import { button, card, row, type View } from './parts.ts';

export const showSms = (payload: string): View => {
  const sms = parseSms(payload);
  if (!sms) return undefined;
  return {
    icon: 'message',
    title: 'Write a message',
    lead: 'Your messages open with this filled in. Nothing is sent before you send it.',
    body: html`${card(row('To', sms.phone), row('Message', sms.message))}
${button(writeSmsUri(sms), 'Open messages')}`,
  };
};
