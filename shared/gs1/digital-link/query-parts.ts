/** The parts of a Digital Link's query. Their number is limited, since each is checked for every scan. */

/** A link with every GS1 attribute of a product has a few dozen. */
export const queryPartsMax = 100;

/**
 * @param query without its question mark
 * @param isLenient whether `;` also separates parts
 * @returns the parts, some possibly empty; undefined if there are more than {@link queryPartsMax}
 */
export const queryParts = (query: string, isLenient: boolean): string[] | undefined => {
  const parts = query.split(isLenient ? /[&;]/ : '&', queryPartsMax + 1);
  return parts.length > queryPartsMax ? undefined : parts;
};
