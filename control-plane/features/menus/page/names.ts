/** The names of tags in the page's language; unknown values are shown as they are. */

import type { MenuWords } from '#shared/pages/words.ts';
import { allergenName } from './allergens.ts';
import type { FilterParameter } from './filter-options.ts';

const lookUp = (names: Readonly<Record<string, string>>, tag: string): string =>
  Object.hasOwn(names, tag) ? names[tag]! : tag;

export const dietName = ({ dietNames }: MenuWords, tag: string): string => lookUp(dietNames, tag);

export const nameOfTag = (words: MenuWords, parameter: FilterParameter, tag: string): string => {
  if (parameter === 'tag') return tag;
  return parameter === 'diet' ? dietName(words, tag) : allergenName(words, tag);
};
