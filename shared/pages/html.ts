/** Escaped markup. */
import { type html, raw } from 'hono/html';

export type Html = ReturnType<typeof html>;

const special = /[&<>"']/;

/**
 * Escapes text as `hono/html` does, into one flat string. Hono builds a tree for each escaped character: for a page
 * with megabytes of text, the memory of these trees took most of the time.
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
