/** The pages that are measured: of a usual size. */
import { z } from 'zod';
import { type Client, callFor } from '../bench/workspace.ts';

export const pageNames = ['landing-page', 'menu', 'form'] as const;
export type PageName = (typeof pageNames)[number];

export interface Page {
  title: string;
  path: string;
}

const text = 'Fresh every day from the market around the corner, and made by hand in our own kitchen.';

const buttons = Array.from({ length: 12 }, (_, n) => ({
  label: `Button number ${n + 1}`,
  destination: `https://example.com/button/${n}`,
  hint: 'Opens in the browser',
}));
const platforms = [
  'website',
  'twitter',
  'instagram',
  'facebook',
  'linkedin',
  'youtube',
  'tiktok',
  'github',
  'whatsapp',
];
const socials = platforms.map((platform) => ({ platform, url: `https://example.com/${platform}` }));

const bodies: Readonly<Record<PageName, { path: string; idField: string; segment: string; body: object }>> = {
  'landing-page': {
    path: '/api/qr/landing-pages',
    idField: 'pageId',
    segment: 'p',
    body: {
      name: 'Café',
      headline: 'Café Central',
      subheadline: text,
      body: `${text}\n\n${text}`,
      buttons,
      socials,
    },
  },
  menu: {
    path: '/api/qr/menus',
    idField: 'menuId',
    segment: 'm',
    body: {
      name: 'Lunch',
      headline: 'Lunch',
      sections: Array.from({ length: 6 }, (_, section) => ({
        name: `Section ${section + 1}`,
        items: Array.from({ length: 10 }, (__, item) => ({
          name: `Dish ${section + 1}.${item + 1}`,
          description: text,
          price: `€${item + 8}.50`,
        })),
      })),
    },
  },
  form: {
    path: '/api/qr/forms',
    idField: 'formId',
    segment: 'f',
    body: {
      name: 'Feedback',
      description: 'Tell us',
      fields: Array.from({ length: 20 }, (_, n) => ({ label: `Question number ${n + 1}`, type: 'text' })),
    },
  },
};

/** @throws {Error} if the API refuses it */
export const createPage = async (client: Client, name: PageName): Promise<Page> => {
  const { path, idField, segment, body } = bodies[name];
  const created = await callFor(z.looseObject({ [idField]: z.string() }), client, 'POST', path, body);
  return { title: name.replace('-', ' '), path: `/${segment}/${created[idField]}` };
};

/** @returns the path of a code's redirect */
export const createRedirect = async (client: Client): Promise<string> => {
  const body = { data: 'https://example.com/landing' };
  const { id } = await callFor(z.looseObject({ id: z.string() }), client, 'POST', '/api/qr/codes', body);
  return `/r/${id}`;
};
