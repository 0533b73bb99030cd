/** A sealed vCard. Its file is the card as it was given. */
import { showContact } from './sealed-contact.js';
import { split, unescaped, views } from './sealed-views.js';

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
