/** The pictures of the examples, stored like any upload. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { messageOf } from '#shared/errors.ts';
import type { ApiClient } from './api-client.ts';

/** The kind decides the shape: `hero` is wide, `avatar` is square. */
export const kindOf = {
  bakery: 'hero',
  'long-table': 'hero',
  sign: 'avatar',
  'eggs-in-the-pan': 'avatar',
  croissant: 'avatar',
  'pumpkin-soup': 'avatar',
  'garden-salad': 'avatar',
  mussels: 'avatar',
  flatbread: 'avatar',
  'berry-tart': 'avatar',
  coffee: 'avatar',
  lemonade: 'avatar',
} as const;

const stored = z.object({ url: z.string() });

const dataUrlOf = async (name: string): Promise<string> => {
  const bytes = await readFile(path.join(import.meta.dirname, 'pictures', `${name}.webp`));
  return `data:image/webp;base64,${bytes.toString('base64')}`;
};

/**
 * Stores them through a landing page. A picture that fails is left out.
 * @param landingPage the page's path in the API
 * @returns their URLs, and the reason of the first failure
 */
export const storePictures = async (
  api: ApiClient,
  landingPage: string,
  signal: AbortSignal,
): Promise<{ pictures: Record<string, string>; failure?: string }> => {
  const pictures: Record<string, string> = {};
  let failure: string | undefined;
  for (const [name, kind] of Object.entries(kindOf)) {
    try {
      const dataUrl = await dataUrlOf(name);
      const { url } = await api.call('POST', `${landingPage}/image`, stored, { kind, dataUrl });
      pictures[name] = url;
    } catch (error) {
      signal.throwIfAborted();
      failure ??= messageOf(error);
    }
  }
  return { pictures, ...(failure === undefined ? {} : { failure }) };
};
