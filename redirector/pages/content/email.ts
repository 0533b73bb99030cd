/** An email to write. It is shown first, because the code's maker chose its words and its recipients. */
import { parseEmail, writeMailto } from '#shared/payloads/email.ts';
import { button, card, row, type Show } from './fragments.ts';

export const showEmail: Show = (payload, { words: { email: words } }) => {
  const email = parseEmail(payload);
  if (!email) return undefined;
  return {
    title: words.title,
    lead: words.lead,
    body: [
      card(
        row(words.to, email.to),
        row(words.copyTo, email.cc),
        row(words.hiddenCopyTo, email.bcc),
        row(words.subject, email.subject),
        row(words.text, email.body?.trimEnd()),
      ),
      button(writeMailto(email), words.open),
    ],
  };
};
