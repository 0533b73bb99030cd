/** A text message to write. */
import { parseSms, writeSmsUri } from '#shared/payloads/sms.ts';
import { button, card, row, type Show } from './fragments.ts';

export const showSms: Show = (payload, { words: { message: words } }) => {
  const sms = parseSms(payload);
  if (!sms) return undefined;
  return {
    title: words.title,
    lead: words.lead,
    body: [
      card(row(words.to, sms.phone), row(words.text, sms.message)),
      button(writeSmsUri(sms), words.open),
    ],
  };
};
