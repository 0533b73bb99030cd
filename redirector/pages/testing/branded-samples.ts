/** The page of a domain at an unknown address, as visitors get it. */
import type { PublishedBrand } from '#schemas/documents.ts';
import { type Language, languages } from '#shared/languages.ts';
import { answers } from '../answers.ts';
import { brandOf } from '../brand.ts';
import type { Page } from '../page.ts';

export const showNothingHere = (brand: PublishedBrand = {}, language: Language = 'en'): Page =>
  // Pages of a brand are kept: each sample is a brand of its own.
  answers.nothingHere.page(language, { brand: brandOf(JSON.stringify(brand), brand) });

/** A mark of 80 × 80 pixels. */
export const sampleLogo = {
  dataUrl:
    'data:image/webp;base64,UklGRlQDAABXRUJQVlA4WAoAAAAQAAAATwAATwAAQUxQSOwAAAABgBvbturmiCHWU4yVyNwAOxf1Y84EjTAr4hIoN37mf3JHxATAcqHWmh2/ZU9/H2atah7Ohh96sm+79yEHLreyr9fndpIfsu/fEpbSU5ngWFhIr2WKa2GSnMokx3GjD5nmi8G5TPQKQHjLZBUCHmWqt0CfSwcFmauUrZGRSy02jTmbyYHN7ovNp/zv2y82nwc2uzmbSZNNvcqmlJe4SBn0uLSBey7XQGjNZBECcMakCP0bjycYJsYsBnEjiDWHVQrmYsRgIGA18eK/pzhsnq78tSjCfuiuI/lFat8E4Wy21Jgevrz1tZ80ShlYBlZQOCBCAgAAEBAAnQEqUABQAD61UqRMpySjoiZ5msjgFolqAM41DPU4PFcgxwaZZ9QHlXqAeYB+jnSA8wHlAeor0AP931BvoAfsr6YXsv2R/WqC++d/YUEwL/+3J3gBWESDJUupQmvjeUZLyUJgGmuvHRMzZvfh3thU1UN/HCw9PVRlVf6GMSN6sufwlGR+TgAA/u/OHTEulhBHw/918sl/Nb/nLgl6vGygfJ8RU20L72jiANmSibKN/3LTab8Qtc4dfJVBFpe4WpvrFfg7xfzsHLOJvPqhavJon/C7qV7YUE++fLmj2vfyqFjIzUKRInoz1K6rfX0F6r3JutG8xJ520lrDxXpv/MPk/UIk6he/zSH+Qsenb5w0oXBalda5zszOvBqjTCQYAnMbHonz/PwSnoIL6Grb4iXB6WcPKA/+jnTlUvIoA4NQYGno2yB5yDqUz3GZQ/FrTezFYXW8rzraHMeLtq+eFWGMuy6eUTWwqpVRvQk73jmH6TUFXFkdFIcr86uhdgMDNm5Y/w83lXlb6RnWMEB1E0wfrOaL2raRdPyE5fDhpvr589NphAw/+xa31j1A6aE/dKK8IwUlIt67Fs0qkTsp2pqpK7UTtKEJ5so/osfRyvMWTuweZLn3k3+7Qfr+GzB9+vHTTmKDBuomGGvAb6FYOS2Vuq5+t+d3B/38byO3qScJ0B+WjcvgsR/HX2br7K1DFeePeSwq54SepPkwLbeiS5LgrGMLqPXHDrS1PUAA3uarNzdUE8khhaooWzqaM/QswAA=',
  width: 40,
  height: 40,
};

export const sampleBrand: PublishedBrand = {
  name: 'Norrsken Ceramics',
  logo: sampleLogo,
  background: '#12324a',
  accent: '#ffb84d',
  url: 'https://norrsken.example/collection',
  phone: '+46 8 123 45 00',
  email: 'hello@norrsken.example',
  language: 'en',
  texts: {
    unknown: {
      title: 'We cannot find that',
      text: 'The sticker may be an old one.\nAsk in the shop, or look around on our site.',
    },
    expired: { title: 'This offer has ended' },
  },
};

const hostile: PublishedBrand = {
  name: '<script>alert(1)</script>\u202egnol',
  logo: { ...sampleLogo, dataUrl: 'data:image/svg+xml,<svg onload=alert(1)>' },
  background: '#fff;}*{display:none}',
  accent: 'red',
  url: 'javascript:alert(1)',
  phone: '"><script>alert(1)</script>',
  email: 'a@b.example?bcc=everyone@c.example',
  language: '"><script>',
  texts: {
    unknown: { title: '"><img src=x onerror=alert(1)>', text: '</p><img src=x onerror=alert(1)>\n"\'&amp;' },
  },
};

/** By name. */
export const sampleBrandedPages = (): Readonly<Record<string, Page>> => ({
  ...Object.fromEntries(
    languages.map((language) => [
      `plain-${language}`,
      showNothingHere({ url: 'https://norrsken.example/' }, language),
    ]),
  ),
  branded: showNothingHere(sampleBrand),
  brandedArabic: showNothingHere({ ...sampleBrand, name: 'نور الشمال', texts: {} }, 'ar'),
  monogram: showNothingHere({ name: 'Larkham & Daughter', accent: '#8a3a12', phone: '+44 20 7946 0000' }),
  illegible: showNothingHere({ ...sampleBrand, background: '#ffffff', accent: '#fdfdfd' }),
  long: showNothingHere({
    name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    url: `https://${'long-label-'.repeat(5)}x.example/`,
    email: `${'long.name.'.repeat(6)}x@example.com`,
    texts: {
      unknown: {
        title: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2),
        text: 'x'.repeat(5000),
      },
    },
  }),
  hostile: showNothingHere(hostile),
  expired: answers.expired.page('en', { codeId: 'abcdefghi', brand: brandOf('sample', sampleBrand) }),
});
