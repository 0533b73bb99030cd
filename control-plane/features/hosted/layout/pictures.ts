/**
 * Pictures of a page. Each has a box of a fixed shape, so that nothing moves when it loads. Uploads of ours come in
 * several sizes and formats, of which the browser picks one, over a blurred placeholder in the page's style sheet.
 * Pictures from elsewhere are linked as they are, without a referrer.
 */
import { html } from 'hono/html';
import { escaped, type Html } from '#shared/pages/html.ts';
import type { UploadedImage } from '../page-kind.ts';

export interface PictureOptions {
  /** The class of its box, which sets the size. */
  box: string;
  /** The shown width: the `sizes` attribute. */
  sizes: string;
  /** Empty for a decoration. */
  alt: string;
  /** `first`: what a visitor sees first, fetched before everything else. Default: fetched when scrolled to. */
  order?: 'first' | 'lazy' | 'soon';
}

export interface Pictures {
  picture(url: string, options: PictureOptions): Html;
  /** The placeholders of all pictures so far, as CSS. */
  style(): string;
}

const sourceSet = (image: UploadedImage, format: 'avif' | 'webp'): string =>
  image.widths.map((width) => `${image.urlOf(width, format)} ${width}w`).join(', ');

const loadingOf = (order: PictureOptions['order']): Html => {
  if (order === 'first') return html` fetchpriority="high"`;
  return order === 'soon' ? html`` : html` loading="lazy"`;
};

const foreign = (url: string, { alt, order }: PictureOptions): Html =>
  html`<img src="${escaped(url)}" alt="${alt}" decoding="async" referrerpolicy="no-referrer"${loadingOf(order)}>`;

const uploaded = (image: UploadedImage, { alt, order, sizes }: PictureOptions): Html => {
  const { width, height } = image;
  return html`<picture><source type="image/avif" srcset="${sourceSet(image, 'avif')}" sizes="${sizes}"><img src="${image.urlOf(image.widths.at(-1)!, 'webp')}" srcset="${sourceSet(image, 'webp')}" sizes="${sizes}" width="${width}" height="${height}" alt="${alt}" decoding="async"${loadingOf(order)}></picture>`;
};

/** The shape of a placeholder: nothing in it can end the CSS rule or the style sheet. */
const placeholderShape = /^data:image\/[a-z+.-]+;base64,[A-Za-z0-9+/=]+$/;

/** @param images uploads of ours, by URL */
export const createPictures = (images: ReadonlyMap<string, UploadedImage>): Pictures => {
  const rules: string[] = [];
  const placeholderClass = ({ placeholder }: UploadedImage): string => {
    if (!placeholderShape.test(placeholder)) return '';
    rules.push(`.ph${rules.length}{background-image:url(${placeholder})}`);
    return ` ph${rules.length - 1}`;
  };
  return {
    picture(url, options) {
      const image = images.get(url);
      return image === undefined
        ? html`<span class="pic ${options.box}">${foreign(url, options)}</span>`
        : html`<span class="pic ${options.box}${placeholderClass(image)}">${uploaded(image, options)}</span>`;
    },
    style: () => rules.join(''),
  };
};
