/** For tests: a landing page as the control plane publishes it. */
import { randomUUID } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import { pageDocumentId } from '#schemas/documents.ts';
import type { PageDocument } from '#schemas/page-document.ts';
import { base58Digit } from '#shared/ids.ts';

const newId = (): string =>
  `page_${Array.from({ length: 16 }, () => base58Digit(Math.floor(Math.random() * 58))).join('')}`;

export const samplePage = (
  changes: Partial<PageDocument> = {},
  html = `<!doctype html><title>Page</title>${randomUUID()}`,
): { document: PageDocument; target: string; html: string } => {
  const id = newId();
  const content = {
    tag: randomUUID().slice(0, 8),
    policy: "default-src 'none'",
    bytes: Buffer.byteLength(html),
    brotli: brotliCompressSync(html).toString('base64'),
  };
  const document: PageDocument = {
    id: pageDocumentId(id),
    version: 1,
    workspaceId: 'ws_1',
    kind: 'landing_page',
    status: 'active',
    content,
    ...changes,
  };
  return { document, target: `/p/${id}`, html };
};
