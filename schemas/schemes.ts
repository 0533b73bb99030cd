/**
 * URL schemes that run script, read files, or show a page as somebody else's. The API refuses app links with them, and no
 * page makes a link of one, whatever the API let through.
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
