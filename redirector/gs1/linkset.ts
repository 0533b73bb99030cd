/** The list of all links at a Digital Link (RFC 9264, section 4.2), with GS1's additions. */
import type { Gs1Link } from '#schemas/documents.ts';
import type { CompiledEntry } from './compiled-document.ts';

/** Default links are listed without their `type`: the same href is listed with it under its own link type. */
const defaultLinkType = 'https://ref.gs1.org/voc/defaultLink';

const targetOf = ({ href, title, type, hreflang, context }: Gs1Link) => ({
  href,
  title,
  ...(type !== undefined && { type }),
  ...(hreflang && { hreflang }),
  ...(context && { context }),
});

const anchorOf = ({ entry, defaultLink, byType }: CompiledEntry, root: string) => ({
  anchor: root + entry.path,
  itemDescription: entry.itemDescription,
  [defaultLinkType]: [{ href: defaultLink.href, title: defaultLink.title }],
  ...Object.fromEntries([...byType].map(([linkType, links]) => [linkType, links.map(targetOf)])),
});

/** @param entries the most specific first @param root the origin of the Digital Links */
export const linksetOf = (entries: readonly CompiledEntry[], root: string): string =>
  JSON.stringify({ linkset: entries.map((entry) => anchorOf(entry, root)) });
