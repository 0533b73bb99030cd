/**
 * URL schemes that run script, read files, or show a page under another origin. The API refuses app links with them,
 * and no page links to them, even if the API let one through.
 */
export const unsafeSchemes: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'chrome',
  'content',
  'data',
  'file',
  'filesystem',
  'jar',
  'javascript',
  'mhtml',
  'vbscript',
  'view-source',
]);
