/** An email to write. It is shown first, because the code's maker chose its words and its recipients. */
import { parseEmail, writeMailto } from '#shared/payloads/email.ts';
import { button, card, row, type Show } from './fragments.ts';

export const showEmail: Show = (payload) => {
  const email = parseEmail(payload);
  if (!email) return undefined;
  return {
    title: 'Write an email',
    lead: 'Your mail app opens with this filled in. Nothing is sent before you send it.',
    body: [
      card(
        row('To', email.to),
        row('Copy to', email.cc),
        row('Hidden copy to', email.bcc),
        row('Subject', email.subject),
        row('Message', email.body),
      ),
      button(writeMailto(email), 'Open the mail app'),
    ],
  };
};
