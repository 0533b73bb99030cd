/** Decides which items a filter shows: one function for the server and the browser. */

/**
 * An item is shown if it has all chosen diets, none of the chosen allergens, and of every category with a choice one
 * of the chosen values. The time grows with the item's tags, not with the number of choices.
 * @param tags the numbers of the options that the item has, each once; a vegan item also has vegetarian
 * @param groups for each group of options its rule (`all`, `none` or `any`) and the set of its chosen options
 */
export const isShown = (tags, groups) =>
  groups.every(({ rule, chosen }) => {
    if (chosen.size === 0) return true;
    const found = tags.filter((option) => chosen.has(option)).length;
    if (rule === 'all') return found === chosen.size;
    return rule === 'none' ? found === 0 : found > 0;
  });
