/** A sealed contact: reached by a tap, and saved as the card that it was. */
import { card, linkTo, make, row, split, unescaped, views, webUrl } from './sealed-views.js';

/** A `data:` link, which phones save under its name without script. */
const fileButton = (name, text) => {
  const plain = name
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .slice(0, 40);
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  const button = linkTo(`data:text/vcard;charset=utf-8;base64,${base64}`, 'Add to contacts', 'button');
  button.download = `${plain.replace(/^-+|-+$/g, '').toLowerCase() || 'file'}.vcf`;
  return button;
};

const digits = (text) =>
  /^[-+\d\s().*,;]*\d[-+\d\s().*,;]*$/.test(text) ? text.replace(/[^0-9+*,;]/g, '') : '';
const phoneLink = (text) => (digits(text) ? linkTo(`tel:${digits(text)}`, text) : text);
const isAddress = (text) => /^[^\s@:<>?&%]+@[^\s@:<>?&%]+$/.test(text);
const emailLink = (text) => (isAddress(text) ? linkTo(`mailto:${text}`, text) : text);
const webLink = (text) => {
  const url = webUrl(text);
  return url ? linkTo(url.href, url.href) : text;
};

/** @param of the values of a property, as texts */
const showContact = (name, of, file) => ({
  title: name,
  lead: [...of('TITLE'), ...of('ORG')].filter((part) => part !== name).join(' · '),
  content: [
    card(
      ...of('TEL').map((text) => row('Phone', phoneLink(text.replace(/^tel:/i, '')))),
      ...of('EMAIL').map((text) => row('Email', emailLink(text.replace(/^mailto:/i, '')))),
      ...of('URL').map((text) => row('Website', webLink(text))),
      ...of('ADR').map((text) => row('Address', text)),
      ...of('NOTE').map((text) => row('Note', text)),
    ),
    fileButton(name, file),
    make('p', { class: 'hint' }, 'Open the file when it is saved: your phone adds it to your contacts.'),
  ],
});

const readText = (escaped) => unescaped(escaped.replace(/\\n/gi, '\n')).trim();

/** In the order of an envelope. */
const addressText = (escaped) => {
  const [box, extended, street, locality, region, code, country] = escaped
    .replaceAll('\\;', '\0')
    .split(';')
    .map((part) => readText(part.replaceAll('\0', ';')));
  const town = [locality, region, code].filter(Boolean).join(', ');
  return [extended, street, box, town, country].filter(Boolean).join('\n');
};

const organizationText = (escaped) => split(escaped, ';').map(readText).filter(Boolean).join(', ');
const readers = { ADR: addressText, ORG: organizationText };

const showVcard = (text) => {
  if (!/^\s*BEGIN:VCARD\s/i.test(text)) return undefined;
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n');
  const parsed = lines.map((line) => /^(?:[\w-]+\.)?([\w-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/.exec(line));
  const raw = (name) => parsed.filter((line) => line?.[1].toUpperCase() === name).map((line) => line[2]);
  const of = (name) =>
    raw(name)
      .map(readers[name] ?? readText)
      .filter(Boolean);
  const parts = (raw('N')[0] ?? '').split(';').map((part) => unescaped(part).trim());
  const name = of('FN')[0] ?? ([parts[1], parts[0]].filter(Boolean).join(' ') || of('ORG')[0]);
  return name && showContact(name, of, `${text.trim().replace(/\r\n?|\n/g, '\r\n')}\r\n`);
};

views.vcard = showVcard;
