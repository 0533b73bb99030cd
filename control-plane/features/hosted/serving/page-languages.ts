/** Which language the shell of a page speaks to a visitor. */
import { acceptedLanguage, type Language } from '#shared/languages.ts';
import { createMemo } from '#shared/memo.ts';
import type { HostedPage } from '../hosted-page.ts';
import type { PageKind } from '../page-kind.ts';

/** Browsers send a handful of different headers. */
const headersMax = 500;

export interface PageLanguages {
  /**
   * @param header Accept-Language
   * @returns undefined where the page's own texts decide
   */
  visitorsFor<Content>(
    kind: PageKind<Content>,
    page: HostedPage<Content>,
    header: string,
  ): Language | undefined;
  /** Whether the page's own texts decide. */
  hasOwnLanguage<Content>(kind: PageKind<Content>, page: HostedPage<Content>): boolean;
}

/** The texts of a version of a page are looked at once. */
export const createPageLanguages = (): PageLanguages => {
  const decided = new WeakMap<object, boolean>();
  const accepted = createMemo(headersMax, acceptedLanguage);

  const hasOwnLanguage = <Content>(kind: PageKind<Content>, page: HostedPage<Content>): boolean => {
    if (!kind.languageOf) return true;
    const known = decided.get(page) ?? kind.languageOf(page) !== undefined;
    decided.set(page, known);
    return known;
  };

  return {
    hasOwnLanguage,
    visitorsFor: (kind, page, header) =>
      hasOwnLanguage(kind, page)
        ? undefined
        : header.length > 200
          ? acceptedLanguage(header)
          : accepted.get(header),
  };
};
