/** A number to call. */
import { parsePhone, writeTelUri } from '#shared/payloads/phone.ts';
import { button, card, copied, copyButton, row, type Show, statusLine } from './fragments.ts';

export const showPhone: Show = (payload) => {
  const number = parsePhone(payload);
  if (!number) return undefined;
  const { phone } = number;
  return {
    title: 'Call this number',
    lead: 'Nothing is dialled before you say so.',
    body: [
      card(row('Number', copied('phone', phone), copyButton('phone', 'the number'))),
      button(writeTelUri(number), `Call ${phone}`),
      statusLine,
    ],
  };
};
