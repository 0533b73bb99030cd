/** The public paths of image files, and their keys in the storage. */
import { isImageId } from './image-ids.ts';

/** The formats in which images are stored. */
export const keptFormats = ['avif', 'webp', 'jpg'] as const;
export type KeptFormat = (typeof keptFormats)[number];

export interface KeptFile {
  id: string;
  /** Pixels. */
  width: number;
  format: KeptFormat;
}

const nameOf = ({ width, format }: Omit<KeptFile, 'id'>): string => `${width}.${format}`;

/** `/i/{id}/640.avif` */
export const publicPath = (file: KeptFile): string => `/i/${file.id}/${nameOf(file)}`;

/** The prefix of all image keys. */
export const imagesRoot = 'images/';
export const imagePrefix = (id: string): string => `${imagesRoot}${id}/`;
export const keyOf = (file: KeptFile): string => imagePrefix(file.id) + nameOf(file);

/** The image that a key belongs to. */
export const imageOfKey = (key: string): string => key.slice(imagesRoot.length).split('/')[0]!;

const names = /^([1-9]\d{0,3})\.(avif|webp|jpg)$/;

/** The file at a path; undefined if there can be none. */
export const keptFileOf = (id: string, name: string): KeptFile | undefined => {
  if (name.length > 9 || !isImageId(id)) return undefined;
  const [, width, format] = names.exec(name) ?? [];
  return width === undefined ? undefined : { id, width: Number(width), format: format as KeptFormat };
};

/** Our URLs are shorter. */
const urlLengthMax = 500;

/**
 * The image that a URL in a page's content points to.
 * @param origins of this service, which all serve the same images
 */
export const imageOfUrl = (url: string, origins: readonly string[]): string | undefined => {
  const origin = url.length <= urlLengthMax && origins.find((one) => url.startsWith(`${one}/i/`));
  if (typeof origin !== 'string') return undefined;
  const [id = '', name = '', ...rest] = url.slice(origin.length + 3).split('/');
  return rest.length === 0 ? keptFileOf(id, name)?.id : undefined;
};
