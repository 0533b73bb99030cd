/** `mailto:` (RFC 6068), NTT DOCOMO's `MATMSG:TO:…;SUB:…;BODY:…;;`, or a bare address. */
import { readFields, valuesOf } from './backslash.ts';
import { decodePart, encodePart } from './links.ts';

export interface Email {
  /** One address, or several separated by commas. */
  to: string;
  cc?: string;
  bcc?: string;
  subject?: string;
  body?: string;
}

/** Without line ends, which could start another header. */
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ').trim();

const emailOf = (to: string, field: (name: string) => string | undefined): Email | undefined => {
  const [cc, bcc, subject] = ['cc', 'bcc', 'subject'].map((name) => oneLine(field(name) ?? ''));
  const body = field('body');
  const address = oneLine(to);
  if (!address && !subject && !body) return undefined;
  return {
    to: address,
    ...(cc && { cc }),
    ...(bcc && { bcc }),
    ...(subject && { subject }),
    ...(body && { body }),
  };
};

const parseMailto = (text: string): Email | undefined => {
  const query = text.indexOf('?');
  const to = decodePart(text.slice(7, query < 0 ? undefined : query));
  const fields = new Map<string, string>();
  // Not URLSearchParams: a plus sign is literal here (RFC 6068, section 5).
  for (const pair of query < 0 ? [] : text.slice(query + 1).split('&')) {
    const equals = pair.indexOf('=');
    if (equals > 0)
      fields.set(decodePart(pair.slice(0, equals)).toLowerCase(), decodePart(pair.slice(equals + 1)));
  }
  const more = fields.get('to');
  return emailOf(more ? [to, more].filter(Boolean).join(',') : to, (name) => fields.get(name));
};

const matmsgKeys: Record<string, string> = { subject: 'SUB', body: 'BODY' };

/** @returns undefined if it has neither a recipient nor a text */
export const parseEmail = (payload: string): Email | undefined => {
  const text = payload.trim();
  if (/^mailto:/i.test(text)) return parseMailto(text);
  const fields = readFields(text, 'MATMSG:');
  if (fields) {
    return emailOf(valuesOf(fields, 'TO').join(','), (name) => valuesOf(fields, matmsgKeys[name] ?? name)[0]);
  }
  return /^[^\s@:<>]+@[^\s@:<>]+$/.test(text) ? { to: text } : undefined;
};

/** A `mailto:` that contains only these fields. */
export const writeMailto = ({ to, ...fields }: Email): string => {
  const addresses = to.split(',').map((address) => encodePart(address.trim()).replace('%40', '@'));
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodePart(value)}`);
  return `mailto:${addresses.join(',')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
};
