/** Products with links, as redirectors hold them: a GTIN each, with a page in two languages and a recipe. */
import { documentKey, type Gs1Document, gs1DocumentId, serializeDocument } from '#schemas/documents.ts';
import { checkDigitOf } from '#shared/gs1/check-digit.ts';
import type { Redis } from '#shared/redis.ts';
import { workspaceId } from '../bench/environment.ts';

/** The path of the product with this number: `/01/{gtin}`. */
export const productPath = (number: number): string => {
  const digits = `0950600${String(number).padStart(6, '0')}`;
  return `/01/${digits}${checkDigitOf(digits)}`;
};

/** Invented for each unit, so that it is known to nobody: a batch of 1,000 units, and a serial. */
export const unitPath = (product: number, unit: number): string =>
  `${productPath(product)}/10/L${Math.floor(unit / 1000)}/21/U${unit}`;

const voc = 'https://ref.gs1.org/voc';

const documentOf = (number: number): Gs1Document => {
  const path = productPath(number);
  const href = `https://example.com/products/${number}`;
  const links: Gs1Document['entries'][number]['links'] = [
    { linkType: `${voc}/pip`, href, title: 'Product information', hreflang: ['en'], default: true },
    { linkType: `${voc}/pip`, href: `${href}?lang=fr`, title: 'Informations', hreflang: ['fr'] },
    { linkType: `${voc}/recipeInfo`, href: `${href}/recipes`, title: 'Recipes' },
  ];
  const entries = [{ id: `gs1_${number}`, path, itemDescription: `Product ${number}`, links }];
  return { id: gs1DocumentId(path.slice(1)), version: 1, workspaceId, entries };
};

/** Writes them to Redis, as the control plane does. @returns their texts by id */
export const writeProducts = async (redis: Redis, count: number): Promise<Map<string, string>> => {
  const documents = Array.from({ length: count }, (_, number) => documentOf(number));
  const texts = new Map(documents.map((document) => [document.id, serializeDocument(document)]));
  await redis.mset(...[...texts].flatMap(([id, text]) => [documentKey(id), text]));
  return texts;
};
