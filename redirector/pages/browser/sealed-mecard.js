/** A sealed MECARD. Its file is a vCard of the same contents, since address books do not read MECARDs. */

import { showContact } from './sealed-contact.js';
import { fieldsOf } from './sealed-fields.js';
import { split, unescaped, views } from './sealed-views.js';

const escaped = (text) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

const partsOf = (text) => split(text, ',').map((part) => unescaped(part).trim());

const vcardOf = (lines) =>
  ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD'].map((line) => `${line}\r\n`).join('');

const showMecard = (text) => {
  const all = fieldsOf(text, 'MECARD:');
  if (!all) return undefined;
  const values = {
    TEL: [...all('TEL'), ...all('TEL-AV')].map(unescaped),
    EMAIL: all('EMAIL').map(unescaped),
    URL: all('URL').map(unescaped),
    ADR: all('ADR').map((address) => partsOf(address).filter(Boolean).join(', ')),
    ORG: all('ORG').map(unescaped),
    TITLE: all('TITLE').map(unescaped),
    NOTE: all('NOTE').map(unescaped),
  };
  const [last = '', first = ''] = partsOf(all('N')[0] ?? '');
  const name = [first, last].filter(Boolean).join(' ') || values.ORG[0] || values.TEL[0] || values.EMAIL[0];
  if (!name) return undefined;
  const address = values.ADR.map((one) => `ADR:;;${escaped(one)};;;;`);
  const others = ['TEL', 'EMAIL', 'URL', 'ORG', 'TITLE', 'NOTE'].flatMap((key) =>
    values[key].map((value) => `${key}:${escaped(value)}`),
  );
  const file = vcardOf([
    `N:${escaped(last)};${escaped(first)};;;`,
    `FN:${escaped(name)}`,
    ...address,
    ...others,
  ]);
  return showContact(name, (key) => values[key].filter(Boolean), file);
};

views.mecard = showMecard;
