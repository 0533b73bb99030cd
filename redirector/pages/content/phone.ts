/** A number to call. */
import { filled } from '#shared/pages/filled.ts';
import { parsePhone, writeTelUri } from '#shared/payloads/phone.ts';
import { button, card, copied, copyButton, row, type Show, statusLine } from './fragments.ts';
import { isolated } from './isolated.ts';

export const showPhone: Show = (payload, { words: { phone: words } }) => {
  const number = parsePhone(payload);
  if (!number) return undefined;
  const { phone } = number;
  return {
    title: words.title,
    lead: words.lead,
    body: [
      card(row(words.number, copied('phone', phone))),
      button(writeTelUri(number), filled(words.call, { phone: isolated(phone) })),
      copyButton('phone', words.copy, 'button'),
      statusLine,
    ],
  };
};
