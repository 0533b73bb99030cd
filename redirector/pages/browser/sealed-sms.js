/** A sealed text message to write. */
import { dialable } from './sealed-dialable.js';
import { card, decoded, linkTo, row, views } from './sealed-views.js';

/** Number and message; the message of `sms:` is encoded, that of `SMSTO:` is not. */
const readSms = (text) => {
  const rest = text.trim().replace(/^(?:sms|mms)(?:to)?:(?:\/\/)?/i, '');
  const body = /[?&;]body=([^?&;]*)/i.exec(rest)?.[1];
  const [, number, message = ''] = /^([^:?&;]*)(?::([\s\S]*))?/.exec(rest);
  return { number: decoded(number).trim(), message: body === undefined ? message : decoded(body) };
};

const showSms = (text) => {
  const { number, message } = readSms(text);
  if (!number && !message) return undefined;
  // iOS takes what follows an ampersand, Android what follows the question mark.
  const body = message && `?&body=${encodeURIComponent(message)}`;
  return {
    title: 'Write a message',
    lead: 'Your messages open with this filled in. Nothing is sent before you send it.',
    content: [
      card(row('To', number), row('Message', message)),
      linkTo(
        `sms:${number.split(',').map(dialable).filter(Boolean).join(',')}${body}`,
        'Open messages',
        'button',
      ),
    ],
  };
};

views.sms = showSms;
