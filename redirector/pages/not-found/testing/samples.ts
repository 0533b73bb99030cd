/** 404 pages of domains, as visitors get them. */
import type { DomainDocument } from '#schemas/documents.ts';
import { type Language, languages } from '#shared/languages.ts';
import type { Page } from '../../page.ts';
import { createNotFoundPages } from '../index.ts';

const pages = createNotFoundPages();

export const showNotFound = (
  notFound: DomainDocument['notFound'],
  language: Language = 'en',
  domain = 'go.norrsken.example',
): Page => {
  // The pages of a document are cached: each sample is a document of its own.
  const id = `domain:${domain}:${JSON.stringify(notFound)}`;
  return pages.answer({ id, version: 1, domain, ...(notFound && { notFound }) }, language).page;
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
export const sampleNotFoundPages = (): Readonly<Record<string, Page>> => ({
  ...Object.fromEntries(
    languages.map((language) => [
      `plain-${language}`,
      showNotFound({ homeUrl: 'https://norrsken.example/' }, language),
    ]),
  ),
  branded: showNotFound(branded),
  accent: showNotFound({ homeUrl: 'https://norrsken.example', theme: { accent: '#0a6847' } }),
  illegible: showNotFound({
    ...branded,
    theme: { background: '#ffffff', text: '#fefefe', accent: '#fdfdfd' },
  }),
  long: showNotFound({
    headline: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2),
    body: 'x'.repeat(5000),
    homeUrl: `https://${'long-label-'.repeat(5)}x.example/`,
  }),
  hostile: showNotFound(hostile),
});
