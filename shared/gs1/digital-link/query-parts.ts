/** The parts of a Digital Link's query, which are bounded: each is looked at for every scan. */

/** A link with all that GS1 knows of a product has a few dozen. */
export const queryPartsMax = 100;

/**
 * @param query without its question mark
 * @param isLenient whether `;` is between parts as `&` is
 * @returns the parts, some of which may be empty; undefined where there are more than {@link queryPartsMax}
 */
export const queryParts = (query: string, isLenient: boolean): string[] | undefined => {
  const parts = query.split(isLenient ? /[&;]/ : '&', queryPartsMax + 1);
  return parts.length > queryPartsMax ? undefined : parts;
};
