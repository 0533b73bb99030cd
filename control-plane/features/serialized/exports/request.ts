/** What an export is asked for: the look of all its pictures, and what their symbols hold. */
import type { UriFormat } from '#schemas/api/serialized.ts';
import type { ImageExportBody, ImageExportFormat } from '#schemas/api/serialized-images.ts';
import { exportPixelsMax } from '#schemas/api/serialized-images.ts';
import { ClientError } from '#shared/errors.ts';
import {
  type Look,
  type Renderer,
  resolveStyle,
  sizeDefault,
  smallestVersions,
  warningOfOthers,
} from '../../../rendering/index.ts';
import type { BrandKits } from '../../brand-kits/kits.ts';
import type { ItemUrls } from '../items/item-urls.ts';
import type { StoredBatch } from '../store/batches.ts';

/** As it is stored with the export. */
export interface ExportRequest {
  look: Look;
  uriFormat: UriFormat;
  width?: number | undefined;
  height?: number | undefined;
  /** Bytes that may be kept for the workspace. */
  keptBytesMax: number;
}

/** What of an export its files depend on. */
export interface ExportFile {
  format: ImageExportFormat;
  createdAt: Date;
}

/** The symbols of two versions may hold a text: one with digits in a row is a little shorter. In no symbol a letter is. */
const longestText = (url: string, itemId: string): string => {
  const at = url.indexOf(itemId);
  return url.slice(0, at) + url.slice(at).replaceAll(/[^/]/g, 'x');
};

const levels = ['L', 'M', 'Q', 'H'] as const;

/** The look with the version of the symbol that holds the address of any item: all pictures have modules of one size. */
const inOneVersion = (look: Look, url: string, itemId: string): Look => {
  const version = smallestVersions(longestText(url, itemId))[levels.indexOf(look.level)];
  return look.version !== undefined || !version ? look : { ...look, version };
};

/** @throws {ClientError} UNPROCESSABLE where the pictures together have too many pixels */
const requirePixels = ({ format, width, height }: ImageExportBody, count: number): void => {
  const [across, down] = [width ?? height ?? sizeDefault, height ?? width ?? sizeDefault];
  if (format !== 'png' || across * down * count <= exportPixelsMax) return;
  throw new ClientError(
    'UNPROCESSABLE',
    `width must leave at most ${exportPixelsMax} pixels for all pictures together (50000 of 1024 by 1024); given: ${count} of ${across} by ${down}. ` +
      'Ask for smaller pictures, or for svg',
  );
};

export interface RequestOptions {
  renderer: Pick<Renderer, 'render'>;
  kits: Pick<BrandKits, 'applicable' | 'styleOf'>;
  urls: ItemUrls;
}

export interface ProvenRequest {
  request: Omit<ExportRequest, 'keptBytesMax'>;
  /** About a look that is read, and yet is not good. */
  warnings: readonly string[];
}

/**
 * Resolves the look, once for all pictures, and proves it with the picture of one item.
 * @throws {ClientError} UNPROCESSABLE naming the field that cannot be drawn or read, a brand kit that does not exist, or `uriFormat`;
 *   FORBIDDEN for the brand kit of another workspace
 */
export const createRequestReader =
  ({ renderer, kits, urls }: RequestOptions) =>
  async (batch: StoredBatch, itemId: string, body: ImageExportBody): Promise<ProvenRequest> => {
    const { format, uriFormat, width, height, brandKitId, ...style } = body;
    const url = urls.inFormat(batch, uriFormat)(itemId);
    requirePixels(body, batch.count);
    const kit = brandKitId === undefined ? undefined : await kits.applicable(batch.workspaceId, brandKitId);
    const look = inOneVersion(resolveStyle(style, kit && (await kits.styleOf(kit))), url, itemId);
    const proof = await renderer.render({ payload: url, look, format, width, height }, batch.workspaceId);
    return { request: { look, uriFormat, width, height }, warnings: proof.warnings.map(warningOfOthers) };
  };
