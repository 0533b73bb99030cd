/** A sealed number to call. */
import { dialable } from './sealed-dialable.js';
import { card, copyButton, decoded, linkTo, row, statusLine, views } from './sealed-views.js';

const showPhone = (text) => {
  const phone = decoded(text.trim().replace(/^tel:(\/\/)?/i, ''))
    .replace(/;[a-z][\s\S]*$/i, '')
    .trim();
  if (!/^[-+\d\s().*#,;/]+$/.test(phone) || !dialable(phone)) return undefined;
  return {
    title: 'Call this number',
    lead: 'Nothing is dialled before you say so.',
    content: [
      card(row('Number', phone, copyButton(phone, 'the number'))),
      linkTo(`tel:${dialable(phone)}`, `Call ${phone}`, 'button'),
      statusLine(),
    ],
  };
};

views.phone = showPhone;
