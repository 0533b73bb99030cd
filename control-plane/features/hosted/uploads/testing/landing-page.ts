/** A landing page for tests, and the upload of its pictures. */
import { landingPageObject } from '#schemas/api/landing-pages.ts';
import type { Answer, Call } from '../../../../testing/control-plane.ts';
import { dataUrlOf } from './pictures.ts';

export const createPage = async (call: Call): Promise<string> => {
  const { body } = await call('POST', '/api/qr/landing-pages', { name: 'Corner café' });
  return landingPageObject.parse(body).pageId;
};

export const pageOf = async (call: Call, pageId: string) =>
  landingPageObject.parse((await call('GET', `/api/qr/landing-pages/${pageId}`)).body);

export const upload = (
  call: Call,
  pageId: string,
  bytes: Buffer,
  { kind = 'hero', type = 'png' } = {},
): Promise<Answer> =>
  call('POST', `/api/qr/landing-pages/${pageId}/image`, { kind, dataUrl: dataUrlOf(bytes, type) });

/** @returns the URL of the picture @throws if it was rejected */
export const uploaded = async (...given: Parameters<typeof upload>): Promise<string> => {
  const { status, body } = await upload(...given);
  if (status !== 200) throw new Error(`the upload answered ${status}: ${JSON.stringify(body)}`);
  return (body as { url: string }).url;
};

/** The path of a URL. */
export const pathOf = (url: string): string => new URL(url).pathname;
