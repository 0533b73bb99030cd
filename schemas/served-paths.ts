/** The paths that redirectors and the API serve themselves: no domain path and no alias takes one of them. */

/** The first segments of these paths. Numbers are GS1 Digital Links, see {@link isDigitalLinkPath}. */
export const servedSegments = [
  'api',
  'changelog.json',
  'docs',
  'f',
  'fonts',
  'i',
  'internal',
  'm',
  'mcp',
  'openapi',
  'openapi.json',
  'p',
  'r',
  'v',
  '.well-known',
] as const;

/**
 * A path that begins like an application identifier, or like a tag: if it is wrong, it is answered with a GS1 error. A
 * lower-case word such as `/exports` is not a tag: an EPC's base64url never begins with a lower-case letter.
 */
const digitalLinkPath = /^\/(?:\d{2,4}(?:\/|$)|eh[\w-]*\/?$|ex(?![a-z][a-z-]*\/?$)[\w=-]*\/?$)/;

/** Whether the GS1 resolver answers the path. */
export const isDigitalLinkPath = (path: string): boolean => digitalLinkPath.test(path);
