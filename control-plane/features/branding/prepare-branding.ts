/** What a client sends → what is stored: its logo becomes a small picture, before any transaction begins. */
import type { BrandingBody } from '#schemas/api/branding.ts';
import type { ImageEncoder } from '../hosted/uploads/encoding/image-encoder.ts';
import { readGivenImage } from '../hosted/uploads/given/given-image.ts';
import { asField } from '../hosted/uploads/given/refusal.ts';
import { createEncodeLogo } from './encode-logo.ts';
import { type StoredBranding, type StoredLogo, storedOf } from './stored-branding.ts';

export interface PrepareOptions {
  workspaceId: string;
  /** The field of the logo, for messages. */
  logoField: string;
  /** What the body replaces. */
  before: StoredBranding | null;
}

/**
 * @throws {ClientError} UNPROCESSABLE or LIMIT_FILE_SIZE naming the field of the logo; RATE_LIMITED or UNAVAILABLE as
 * {@link ImageEncoder.encode}
 */
export type PrepareBranding = (body: BrandingBody, options: PrepareOptions) => Promise<StoredBranding>;

export const createPrepareBranding = (encoder: Pick<ImageEncoder, 'encodeSmall'>): PrepareBranding => {
  const encodeLogo = createEncodeLogo(encoder);

  const logoOf = async (
    dataUrl: string,
    { workspaceId, logoField, before }: PrepareOptions,
  ): Promise<StoredLogo> => {
    // A client that sends what it was shown keeps the picture as it is: each encoding may lose some of it.
    if (before?.logo?.dataUrl === dataUrl) return before.logo;
    return asField(logoField, async () => encodeLogo(readGivenImage(dataUrl), workspaceId));
  };

  return async (body, options) => storedOf(body, body.logo ? await logoOf(body.logo, options) : undefined);
};
