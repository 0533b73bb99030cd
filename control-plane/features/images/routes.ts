/** The printable picture of a code: with an API key, or by a signed link without one. */
import { codeImageQuery, downloadUrlQuery, signedLinkQuery } from '#schemas/api/images.ts';
import { ClientError } from '#shared/errors.ts';
import { type Operation, operation, publicOperation, type Reply } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { Asked } from '../pictures/picture-key.ts';
import type { Pictures, RequestedPicture } from '../pictures/pictures.ts';
import { downloadUrlDocs, imageDocs, signedRenderDocs } from './docs.ts';
import type { Links } from './link.ts';
import { requireSource } from './sources.ts';
import { findCodeOfLink, findPicturedCode, readStyle, type SourcedCode } from './store.ts';

export interface ImageOptions {
  pool: Pool;
  pictures: Pictures;
  links: Links;
  baseUrl: string;
}

/** Seconds for which shared caches keep the picture behind a link, if the link lasts that long. */
const sharedSecondsMax = 60;

/** An SVG opened by itself is a document: it may only style itself. */
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** Whether an If-None-Match header names the tag (RFC 9110 §13.1.2: weak comparison). */
const matches = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));

const answer = async (
  picture: RequestedPicture,
  ifNoneMatch: string,
  further: Record<string, string>,
): Promise<Reply> => {
  const unchanged = (etag: string): Reply | undefined =>
    matches(ifNoneMatch, etag) ? { status: 304, headers: { etag, ...further } } : undefined;
  const known = unchanged(picture.etag);
  if (known) return known;
  const { etag, body, contentType, decoded, warnings, sizeNeeded, isFallback } = await picture.draw();
  const headers = {
    etag,
    'content-security-policy': imagePolicy,
    'content-type': contentType,
    'x-qr-decoded': decoded,
    ...(warnings.length > 0 && { 'x-qr-warnings': warnings.join('; ') }),
    ...(sizeNeeded && { 'x-qr-size-min': sizeText(sizeNeeded) }),
    ...(isFallback && { 'waymark-stale': 'brandKit' }),
    ...further,
  };
  return unchanged(etag) ?? { headers, body };
};

const sizeText = ({ width, height }: { width: number; height: number }): string =>
  width === height ? `${width}` : `${width}x${height}`;

const notFound = () =>
  new ClientError('NOT_FOUND', 'There is no picture behind this link, or it has expired');

/** Lets every page embed the picture. */
const crossOrigin = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

export const createImageOperations = ({ pool, pictures, links, baseUrl }: ImageOptions): Operation[] => {
  const pictureOf = (code: SourcedCode, asked: Asked) =>
    pictures.of(code, asked, () => readStyle(pool, code));

  return [
    operation({
      method: 'get',
      path: '/api/qr/codes/:id/image',
      query: codeImageQuery,
      docs: imageDocs,
      async handle({ principal, params, query, header }) {
        const code = await findPicturedCode(pool, principal.workspaceId, params.id ?? '');
        requireSource(code, query.source);
        const picture = await pictureOf(code, query);
        return answer(picture, header('if-none-match'), { 'cache-control': 'private, no-cache' });
      },
    }),
    operation({
      method: 'get',
      path: '/api/qr/codes/:id/download-url',
      query: downloadUrlQuery,
      docs: downloadUrlDocs,
      async handle({ principal, params, query: { ttl, size, source, ...asked } }) {
        const code = await findPicturedCode(pool, principal.workspaceId, params.id ?? '');
        requireSource(code, source);
        const { format } = asked;
        const ends = Date.now() + ttl * 1000;
        const link = links.create({ id: code.id, format, size: size?.toString(), source, exp: String(ends) });
        return { body: { url: baseUrl + link, format, expiresAt: new Date(ends).toISOString() } };
      },
    }),
    publicOperation({
      method: 'get',
      path: '/api/qr/render/:id',
      access: 'public',
      ipLimit: 'signedRender',
      query: signedLinkQuery,
      docs: signedRenderDocs,
      async handle({
        params: { id = '' },
        query: { format = '', size, source, exp = '', sig = '' },
        header,
      }) {
        const now = Date.now();
        const link = { id, format, size, source, exp };
        // Before any lookup: a made-up link learns nothing, and costs only a hash.
        if (!links.isValid(link, sig, now)) throw notFound();
        const code = await findCodeOfLink(pool, id);
        if (!code) throw notFound();
        const asked = codeImageQuery.parse({ format, size, source });
        const seconds = Math.min(sharedSecondsMax, Math.floor((Number(exp) - now) / 1000));
        const headers = { ...crossOrigin, 'cache-control': `public, max-age=${seconds}` };
        return answer(await pictureOf(code, asked), header('if-none-match'), headers);
      },
    }),
  ];
};
