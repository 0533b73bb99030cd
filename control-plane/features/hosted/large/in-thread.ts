/** The thread's side: a module of a kind of pages has this as its default export. */
import { hash } from 'node:crypto';
import { type BodyLimit, parseJson } from '../../../api/http/body.ts';
import { checkJsonShape } from '../../../api/http/json-shape.ts';
import { wholly } from '../../../api/http/steps.ts';
import { validateBody } from '../../../api/http/validation.ts';
import type { Work } from '../../../rendering/index.ts';
import { differentUrls } from '../../screening/urls.ts';
import type { PageKind, UploadedImage } from '../page-kind.ts';
import {
  checkedLanguage,
  type Fields,
  type GivenChange,
  givenChange,
  type NewPage,
  newPage,
  type PageRules,
} from '../page-rules.ts';
import { pageTag } from '../page-tag.ts';
import type { ImageData, LargeRenderedPage, LargeTask, Links, PageOutline, ReadPage } from './tasks.ts';

const imageOf = ({ urls, ...image }: ImageData): UploadedImage => ({
  ...image,
  urlOf: (width, format) => urls[format][image.widths.indexOf(width)]!,
});

/** @throws {ClientError} as for a small body */
const parse = (given: Uint8Array, limit: BodyLimit): unknown => {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  checkJsonShape(bytes, limit);
  return parseJson(bytes);
};

/** The different URLs by their fields; a field may have several. @throws {ClientError} if there are too many */
const linksOf = (value: unknown): Links =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(wholly(differentUrls(value)), ({ field }) => field),
      ([field, found]) => {
        const urls = found.map(({ url }) => url.href);
        return [field, urls.length === 1 ? urls[0]! : urls];
      },
    ),
  );

export const answerLarge = <Content>(rules: PageRules, kind: PageKind<Content>) => {
  const read = ({ do: what, bytes, limit }: Extract<LargeTask, { bytes: Uint8Array }>): Work => {
    const digest = hash('sha256', bytes, 'base64url');
    const value = parse(bytes, limit);
    if (what === 'create') {
      const given = newPage(rules, validateBody(rules.createBody, value));
      return {
        made: { given, digest, links: linksOf(value) } satisfies ReadPage<NewPage>,
        transfer: [given.contentBytes.buffer],
      };
    }
    const given = givenChange(validateBody(rules.updateBody, value));
    return {
      made: { given, digest, links: linksOf(value) } satisfies ReadPage<GivenChange>,
      transfer: [given.setBytes.buffer],
    };
  };

  const outline = ({ contentText }: Extract<LargeTask, { do: 'outline' }>): PageOutline => {
    const content: Content & Fields = JSON.parse(contentText);
    return { imageUrls: kind.imageUrls(content), choices: kind.choicesOf?.(content) };
  };

  const render = async ({
    page,
    context,
  }: Extract<LargeTask, { do: 'render' }>): Promise<LargeRenderedPage> => {
    const content: Content = JSON.parse(page.contentText!);
    const images = new Map(context.images.map(([url, data]) => [url, imageOf(data)]));
    const rendered = await kind.render({ ...page, content }, { ...context, images });
    const { html, contentSecurityPolicy } = rendered;
    const bytes = new TextEncoder().encode(html);
    return { bytes, tag: pageTag(contentSecurityPolicy, html), contentSecurityPolicy };
  };

  return async (task: LargeTask): Promise<Work> => {
    if (task.do === 'checkChanged') return { made: checkedLanguage(rules, task.sent, task.changed) };
    if (task.do === 'outline') return { made: outline(task) };
    if (task.do !== 'render') return read(task);
    const rendered = await render(task);
    return { made: rendered, transfer: [rendered.bytes.buffer] };
  };
};
