/** A sealed person or organization: reached by a tap, and saved to the contacts. */
import { fileButton } from './sealed-file.js';
import { card, linkTo, make, row, webUrl } from './sealed-views.js';

const digits = (text) =>
  /^[-+\d\s().*,;]*\d[-+\d\s().*,;]*$/.test(text) ? text.replace(/[^0-9+*,;]/g, '') : '';
const phoneLink = (text) => (digits(text) ? linkTo(`tel:${digits(text)}`, text) : text);
const isAddress = (text) => /^[^\s@:<>?&%]+@[^\s@:<>?&%]+$/.test(text);
const emailLink = (text) => (isAddress(text) ? linkTo(`mailto:${text}`, text) : text);
const webLink = (text) => {
  const url = webUrl(text) ?? (/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(text) ? webUrl(`https://${text}`) : null);
  return url ? linkTo(url.href, url.href) : text;
};

/** @param of the values of a property, as texts */
export const showContact = (name, of, file) => ({
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
    fileButton(name, 'vcf', 'text/vcard', file, 'Add to contacts'),
    make('p', { class: 'hint' }, 'Open the file when it is saved: your phone adds it to your contacts.'),
  ],
});
