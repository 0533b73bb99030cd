/** The document's Markdown as escaped markup, with links to the operations and sections that it names. */
import { html, raw } from 'hono/html';
import { Marked, type RendererObject } from 'marked';
import { type CodeLanguage, codeBlock } from './code.ts';
import type { Html } from './markup.ts';
import type { Outline } from './outline.ts';

export interface Markdown {
  /** Whole text: paragraphs, lists, tables. */
  block(text: string): Html;
  /** Text within a line. */
  inline(text: string): Html;
}

const languages: ReadonlySet<string> = new Set<CodeLanguage>(['json', 'sh', 'ts']);
const codeLanguageOf = (name = ''): CodeLanguage => (languages.has(name) ? (name as CodeLanguage) : 'text');

/** Nothing else may be the beginning of a link's address: a text cannot run a script. */
const safeAddress = /^(?:https?:\/\/|\/|#)/;

/** Texts without these have no Markdown. */
const special = /[`*_[\]<>\\#|~!&\n"']|^\s*[-+\d]|:\/\/|www\./;

/** `POST /api/qr/codes` to the address of its operation */
const operationLinks = ({ groups }: Outline): ReadonlyMap<string, string> =>
  new Map(
    groups.flatMap(({ slug, endpoints }) =>
      endpoints.map(({ id, method, path }) => [`${method} ${path}`, `/docs/${slug}#${id}`] as const),
    ),
  );

const rendererOf = (links: ReadonlyMap<string, string>): RendererObject => ({
  html: ({ text }) => `${html`${text}`}`,
  image: ({ text }) => `${html`${text}`}`,
  code: ({ text, lang }) => `${codeBlock(text, codeLanguageOf(lang), 'Example')}`,
  codespan({ text }) {
    const link = links.get(text.split('?')[0]!);
    return `${link ? html`<a href="${link}"><code>${text}</code></a>` : html`<code>${text}</code>`}`;
  },
  link({ href, tokens }) {
    const text = raw(this.parser.parseInline(tokens));
    return `${safeAddress.test(href) ? html`<a href="${href}">${text}</a>` : text}`;
  },
  table(token) {
    const row = (cells: typeof token.header, tag: 'th' | 'td') =>
      `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
    const body = token.rows.map((cells) => row(cells, 'td')).join('');
    // A wide table scrolls in its box, also by keys.
    return `<div class="table" role="group" aria-label="Table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>`;
  },
});

/**
 * The first text compiles the library's regular expressions, which takes 25 ms. At start no request waits for it.
 */
new Marked().parse(
  'First *words*, `code` and [a link](https://example.com).\n\n- A list\n\n| a |\n| - |\n| b |\n',
);

/** Texts say “Pagination” in the introduction, which is a section there. */
const withSectionLinks = (markup: string, { sections }: Outline): string =>
  markup.replaceAll(/“([^”<]+)”(?= in the introduction)/g, (whole, title: string) => {
    const section = sections.find((each) => each.title === title);
    return section ? `<a href="/docs#${section.anchor}">${whole}</a>` : whole;
  });

/** The same descriptions occur many times, since operations share their fields: each is read once. */
export const createMarkdown = (outline: Outline): Markdown => {
  const marked = new Marked({ renderer: rendererOf(operationLinks(outline)), async: false });
  const remembered = (read: (text: string) => Html) => {
    const known = new Map<string, Html>();
    return (text: string): Html => {
      const made = known.get(text) ?? read(text);
      known.set(text, made);
      return made;
    };
  };
  return {
    block: remembered((text) =>
      special.test(text)
        ? raw(withSectionLinks(marked.parse(text) as string, outline))
        : html`<p>${text}</p>`,
    ),
    inline: remembered((text) =>
      special.test(text) ? raw(withSectionLinks(marked.parseInline(text) as string, outline)) : html`${text}`,
    ),
  };
};
