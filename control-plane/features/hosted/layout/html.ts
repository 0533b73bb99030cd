/** Markup that is escaped. */
import { type html, raw } from 'hono/html';

export type Html = ReturnType<typeof html>;

const special = /[&<>"']/;

/**
 * A text as `hono/html` escapes it, as one flat string. Its own escaping makes a tree of each escaped character: for a page with
 * megabytes of texts, the memory of these trees took most of the time.
 */
export const escapeText = (text: string): string =>
  special.test(text)
    ? text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;')
    : text;

export const escaped = (text: string): Html => raw(escapeText(text));
