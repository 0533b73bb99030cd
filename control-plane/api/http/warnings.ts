/** Warnings about a style, in a response. */

/** The body with the warnings about its style; without the key if it has no warnings. */
export const withWarnings = <Body extends object>(
  body: Body,
  warnings: readonly string[],
): Body & { warnings?: readonly string[] } => (warnings.length === 0 ? body : { ...body, warnings });
