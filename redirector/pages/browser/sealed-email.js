/** A sealed email to write. */
import { fieldsOf } from './sealed-fields.js';
import { card, decoded, linkTo, row, unescaped, views } from './sealed-views.js';

/** Header lines end where a line ends. */
const oneLine = (text) => text.replace(/[\r\n]+/g, ' ').trim();

/** The fields of a `mailto:` (RFC 6068; a plus sign is a plus sign there) or of a MATMSG. */
const readEmail = (text) => {
  const matmsg = fieldsOf(text, 'MATMSG:');
  if (matmsg) {
    const of = (key) => matmsg(key).map(unescaped).join(',');
    return { to: of('TO'), subject: of('SUB'), body: of('BODY') };
  }
  const [, to, query = ''] = /^(?:mailto:)?([^?]*)(?:\?([\s\S]*))?$/i.exec(text.trim());
  const fields = query.split('&').map((pair) => /^([^=]*)=([\s\S]*)$/.exec(pair));
  const of = (key) => decoded(fields.find((field) => field?.[1].toLowerCase() === key)?.[2] ?? '');
  return { to: decoded(to), cc: of('cc'), bcc: of('bcc'), subject: of('subject'), body: of('body') };
};

const showEmail = (text) => {
  const { to, body, ...headers } = readEmail(text);
  const fields = {
    ...Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, oneLine(value)])),
    body,
  };
  if (!to && !fields.subject && !body) return undefined;
  const query = Object.entries(fields)
    .filter(([, value]) => value)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&');
  const addresses = to.split(',').map((one) => encodeURIComponent(oneLine(one)).replace('%40', '@'));
  return {
    title: 'Write an email',
    lead: 'Your mail app opens with this filled in. Nothing is sent before you send it.',
    content: [
      card(
        row('To', oneLine(to)),
        row('Copy to', fields.cc),
        row('Hidden copy to', fields.bcc),
        row('Subject', fields.subject),
        row('Message', body),
      ),
      linkTo(`mailto:${addresses.join(',')}${query && `?${query}`}`, 'Open the mail app', 'button'),
    ],
  };
};

views.email = showEmail;
