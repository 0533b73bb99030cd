/** For tests: kinds of pages that are as simple as they can be, in place of the product's. */
import { features } from '../../../../app.ts';
import type { Feature } from '../../../../feature.ts';
import { fillMarker, type PageKind } from '../../page-kind.ts';
import { type PageServing, pageServingOf } from '../page-serving.ts';

interface SimpleContent {
  headline?: string;
  body?: string;
}

const policy = "default-src 'none'; style-src 'sha256-test'";

export interface SimplePages {
  /** The product's with the kinds of this file before them. */
  features: readonly Feature[];
  /** The variants of pages that have been rendered, by id. */
  rendered: Map<string, string[]>;
  /** How the next renderings go. Default: at once. */
  beforeRender: () => void;
  serving(): PageServing;
}

/** `/p` has the headline; `/m` knows `?only=…`; `/f` is filled with the time and the referrer. */
export const simplePages = (): SimplePages => {
  let opened: PageServing | undefined;
  const pages: SimplePages = {
    features: [],
    rendered: new Map(),
    beforeRender: () => undefined,
    serving() {
      if (!opened) throw new Error('not opened yet');
      return opened;
    },
  };

  const kindOf = (
    kind: PageKind<SimpleContent>['kind'],
    segment: PageKind<SimpleContent>['segment'],
    prefix: string,
  ): PageKind<SimpleContent> => ({
    kind,
    segment,
    isIdShaped: (id) => new RegExp(`^${prefix}_\\w{16}$`).test(id),
    imageUrls: () => [],
    render({ id, content: { headline = '', body = '' } }, { url, variant }) {
      pages.beforeRender();
      pages.rendered.set(id, [...(pages.rendered.get(id) ?? []), variant]);
      const html = `<!doctype html><title>${headline}</title>${url}${variant}${body}`;
      return { html: kind === 'form' ? `${html}${fillMarker}<p>end` : html, contentSecurityPolicy: policy };
    },
  });

  const kinds: PageKind<SimpleContent>[] = [
    kindOf('landing_page', 'p', 'page'),
    { ...kindOf('menu', 'm', 'menu'), variantOf: (query) => query.get('only') ?? '' },
    {
      ...kindOf('form', 'f', 'form'),
      fill: (_, { now, referrer }) => `<i>${now.getTime()} ${referrer.length}</i>`,
    },
  ];
  const feature: Feature = {
    name: 'simple-pages',
    open(services) {
      opened = pageServingOf(services);
      return { operations: kinds.map(opened.operationFor) };
    },
  };
  const [tenancy, ...others] = features;
  return Object.assign(pages, { features: [tenancy!, feature, ...others] });
};
