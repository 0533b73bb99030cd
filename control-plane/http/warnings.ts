/** Warnings about a style, in an answer. */

/** The body with the warnings about its style; without the key where there are none. */
export const withWarnings = <Body extends object>(
  body: Body,
  warnings: readonly string[],
): Body & { warnings?: readonly string[] } => (warnings.length === 0 ? body : { ...body, warnings });
