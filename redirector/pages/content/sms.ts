/** A text message to write. */
import { parseSms, writeSmsUri } from '#shared/payloads/sms.ts';
import { button, card, row, type Show } from './fragments.ts';

export const showSms: Show = (payload) => {
  const sms = parseSms(payload);
  if (!sms) return undefined;
  return {
    title: 'Write a message',
    lead: 'Your messages open with this filled in. Nothing is sent before you send it.',
    body: [
      card(row('To', sms.phone), row('Message', sms.message)),
      button(writeSmsUri(sms), 'Open messages'),
    ],
  };
};
