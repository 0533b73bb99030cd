/** The page of a domain where nothing is found, as visitors get it. */
import type { DomainDocument } from '#schemas/documents.ts';
import { type Language, languages } from '#shared/languages.ts';
import { answers } from '../answers.ts';
import { brandOfDomain } from '../brand.ts';
import type { Page } from '../page.ts';

export const showNothingHere = (notFound: DomainDocument['notFound'], language: Language = 'en'): Page => {
  // Pages of a brand are kept: each sample is a brand of its own.
  const id = `domain:go.norrsken.example:${JSON.stringify(notFound)}`;
  const brand = brandOfDomain({ id, version: 1, ...(notFound && { notFound }) });
  return answers.nothingHere.page(language, { brand });
};

const branded = {
  headline: 'We cannot find that',
  body: 'The sticker may be an old one.\nAsk in the shop, or look around on our site.',
  logoUrl: 'https://images.example/norrsken/logo.svg',
  homeUrl: 'https://norrsken.example/collection',
  theme: { background: '#12324a', text: '#f4efe6', accent: '#ffb84d' },
};

const hostile = {
  headline: '<script>alert(1)</script>\u202egnol',
  body: '</p><img src=x onerror=alert(1)>\n"\'&amp;',
  logoUrl: 'https://images.example/"><script>alert(1)</script>',
  homeUrl: 'javascript:alert(1)',
  theme: { background: '#fff;}*{display:none}', text: 'red', accent: '#12345g' },
};

/** By name. */
export const sampleBrandedPages = (): Readonly<Record<string, Page>> => ({
  ...Object.fromEntries(
    languages.map((language) => [
      `plain-${language}`,
      showNothingHere({ homeUrl: 'https://norrsken.example/' }, language),
    ]),
  ),
  branded: showNothingHere(branded),
  accent: showNothingHere({ homeUrl: 'https://norrsken.example', theme: { accent: '#0a6847' } }),
  illegible: showNothingHere({
    ...branded,
    theme: { background: '#ffffff', text: '#fefefe', accent: '#fdfdfd' },
  }),
  long: showNothingHere({
    headline: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2),
    body: 'x'.repeat(5000),
    homeUrl: `https://${'long-label-'.repeat(5)}x.example/`,
  }),
  hostile: showNothingHere(hostile),
});
