/** The printable picture of a code. */
import { createHash } from 'node:crypto';
import { codeImageQuery } from '#schemas/api/codes.ts';
import type { Pool } from '../../db/pool.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { type Renderer, resolveStyle } from '../../rendering/index.ts';
import { imageDocs } from './docs.ts';
import { redirectUrl } from './object.ts';
import { findStyledCode } from './store.ts';

/** Changes whenever the same request is drawn differently, so that nobody keeps the old picture. */
const styleVersion = 2;
/** Pixels of each side where neither the request nor the saved style says. */
const sizeDefault = 512;

export interface ImageOptions {
  pool: Pool;
  renderer: Renderer;
  qrHost: string;
}

export const createImageOperation = ({ pool, renderer, qrHost }: ImageOptions): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/codes/:id/image',
    query: codeImageQuery,
    docs: imageDocs,
    async handle({ principal, params, query: { format, size: askedSize }, header }) {
      const { id, style } = await findStyledCode(pool, principal.workspaceId, params.id ?? '');
      const payload = redirectUrl(qrHost, id);
      const width = askedSize ?? style?.width ?? style?.height ?? sizeDefault;
      const request = { payload, style: resolveStyle(style ?? {}), format, width };
      const etag = `"${createHash('sha256')
        .update(`${styleVersion} ${JSON.stringify(request)}`)
        .digest('base64url')}"`;
      const headers = { etag, 'cache-control': 'private, no-cache', 'content-security-policy': imagePolicy };
      if (matches(header('if-none-match'), etag)) return { status: 304, headers };
      const { body, contentType } = await renderer.render(request);
      return { headers: { ...headers, 'content-type': contentType }, body };
    },
  });

/** An SVG that is opened by itself is a document: it may style itself and nothing else. */
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** Whether an If-None-Match header names the tag (RFC 9110 §13.1.2: weak comparison). */
const matches = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
