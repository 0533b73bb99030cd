/** The list of all links at a Digital Link (RFC 9264, section 4.2), with GS1's additions. */
import type { Gs1Link } from '#schemas/documents.ts';
import { chooseLink } from './choose-link.ts';
import type { CompiledEntry } from './compiled-document.ts';
import type { Preferences } from './preferences.ts';

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

/** Bounds a page. */
const listedMax = 30;

/** For people: the best link of each type at each level, the most specific level first, and each target once. */
export const linksForPeople = (
  entries: readonly CompiledEntry[],
  preferences: Preferences,
): readonly Gs1Link[] => {
  const best = entries.flatMap(({ alternatives, byType }) =>
    [alternatives, ...byType.values()].map((links) => chooseLink(links, preferences)),
  );
  return [...new Map(best.toReversed().map((link) => [link.href, link])).values()]
    .toReversed()
    .slice(0, listedMax);
};

/** @param entries the most specific first @param root the origin of the Digital Links */
export const linksetOf = (entries: readonly CompiledEntry[], root: string): string =>
  JSON.stringify({ linkset: entries.map((entry) => anchorOf(entry, root)) });
