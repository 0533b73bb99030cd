/** What a client sends → what is stored: its logo becomes a small picture, before any transaction begins. */
import { logoBytesMax } from '#schemas/api/brand-logo.ts';
import type { BrandingBody } from '#schemas/api/branding.ts';
import type { ImageEncoder } from '../hosted/uploads/encoding/image-encoder.ts';
import { readGivenImage } from '../hosted/uploads/given/given-image.ts';
import { asField } from '../hosted/uploads/given/refusal.ts';
import { createEncodeLogo } from './encode-logo.ts';
import { type StoredBranding, type StoredLogo, storedOf } from './stored-branding.ts';

/** No stored logo is longer: base64 makes four characters of three bytes. */
const storedLengthMax = 'data:image/webp;base64,'.length + 4 * Math.ceil(logoBytesMax / 3);

export interface PrepareOptions {
  workspaceId: string;
  /** The field of the logo, for messages. */
  logoField: string;
}

/**
 * @throws {ClientError} UNPROCESSABLE or LIMIT_FILE_SIZE naming the field of the logo; RATE_LIMITED or UNAVAILABLE as
 * {@link ImageEncoder.encode}
 */
export type PrepareBranding = (body: BrandingBody, options: PrepareOptions) => Promise<StoredBranding>;

/** A logo of the workspace or of one of its domains. @returns undefined if none of them has exactly this one */
export type FindLogo = (workspaceId: string, dataUrl: string) => Promise<StoredLogo | undefined>;

export const createPrepareBranding = (
  encoder: Pick<ImageEncoder, 'encodeSmall'>,
  findLogo: FindLogo,
): PrepareBranding => {
  const encodeLogo = createEncodeLogo(encoder);

  const logoOf = async (dataUrl: string, { workspaceId, logoField }: PrepareOptions): Promise<StoredLogo> => {
    // A client that sends what it was shown, here or of another of its brandings, keeps the picture as it is: each
    // encoding may lose some of it.
    const known = dataUrl.length <= storedLengthMax ? await findLogo(workspaceId, dataUrl) : undefined;
    return known ?? asField(logoField, async () => encodeLogo(readGivenImage(dataUrl), workspaceId));
  };

  return async (body, options) => storedOf(body, body.logo ? await logoOf(body.logo, options) : undefined);
};
