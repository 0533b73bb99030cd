/** For tests: kinds of pages that are as simple as they can be, in place of the product's. */
import { features } from '../../../../app.ts';
import type { Feature } from '../../../../framework/feature.ts';
import { detectLanguage } from '../../layout/index.ts';
import { fillMarker, type PageKind } from '../../page-kind.ts';
import { pageServingOf } from '../page-serving.ts';

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
  /** Names of the statements that each process has sent to PostgreSQL through its pool. */
  statements: string[];
}

/**
 * `/p` has the headline, and is in the visitor's language if that is `unclear`; `/m` knows `?only=…`, and has the number of its
 * rendering; `/f` is filled with the time and the referrer.
 */
export const simplePages = (): SimplePages => {
  const pages: SimplePages = {
    features: [],
    rendered: new Map(),
    beforeRender: () => undefined,
    statements: [],
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
    languageOf: ({ content: { headline, body } }) =>
      headline === 'unclear' ? undefined : (detectLanguage([headline, body]) ?? 'en'),
    render({ id, content: { headline = '', body = '' } }, { url, variant, visitorLanguage }) {
      pages.beforeRender();
      const rendered = [...(pages.rendered.get(id) ?? []), variant];
      pages.rendered.set(id, rendered);
      const number = kind === 'menu' ? rendered.length : '';
      const html = `<!doctype html><title>${headline}</title>${number}${url}${variant}${body}${headline === 'unclear' ? visitorLanguage : ''}`;
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
      const { pool } = services;
      const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
      Object.assign(pool, {
        query(...args: unknown[]) {
          const [statement] = args as [{ name?: string } | string];
          pages.statements.push((typeof statement === 'object' && statement.name) || String(statement));
          return query(...args);
        },
      });
      return { operations: kinds.map(pageServingOf(services).operationFor) };
    },
  };
  const [tenancy, ...others] = features;
  return Object.assign(pages, { features: [tenancy!, feature, ...others] });
};
