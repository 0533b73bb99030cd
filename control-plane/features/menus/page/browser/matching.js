/** Which items a choice of filters shows: one function, run by the server and in the browser. */

/**
 * An item is shown that has all of the chosen diets, none of the chosen allergens, and of every category in which
 * something is chosen one of the chosen values. The time it takes grows with the item's tags, not with what is chosen.
 * @param tags the numbers of the options that the item has, each once; of a vegan item vegetarian is one
 * @param groups of each group of options its rule (`all`, `none` or `any`) and the set of its chosen options
 */
export const isShown = (tags, groups) =>
  groups.every(({ rule, chosen }) => {
    if (chosen.size === 0) return true;
    const found = tags.filter((option) => chosen.has(option)).length;
    if (rule === 'all') return found === chosen.size;
    return rule === 'none' ? found === 0 : found > 0;
  });
