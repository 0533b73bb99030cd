/** A picture → the logo that is in every page of its owner. */
import { logoBytesMax, logoDensity, logoShown } from '#schemas/api/brand-logo.ts';
import type { ImageEncoder } from '../hosted/uploads/encoding/image-encoder.ts';
import type { GivenImage } from '../hosted/uploads/given/given-image.ts';
import type { StoredLogo } from './stored-branding.ts';

/** @throws {ClientError} as {@link ImageEncoder.encode} */
export type EncodeLogo = (given: GivenImage, workspaceId: string) => Promise<StoredLogo>;

const shownBox = { width: logoShown.widthMax, height: logoShown.height };

const box = {
  width: shownBox.width * logoDensity,
  height: shownBox.height * logoDensity,
  fit: 'inside',
  bytesMax: logoBytesMax,
} as const;

/** As large as fits: browsers enlarge small pictures. Whole CSS pixels, at least one each way. */
const shownSize = ({ width, height }: { width: number; height: number }) => {
  const scale = Math.min(shownBox.width / width, shownBox.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

export const createEncodeLogo =
  ({ encodeSmall }: Pick<ImageEncoder, 'encodeSmall'>): EncodeLogo =>
  async (given, workspaceId) => {
    const { dataUrl, ...stored } = await encodeSmall(given, box, workspaceId);
    return { dataUrl, ...shownSize(stored) };
  };
