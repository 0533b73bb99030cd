/** Fetches a logo that a client gives by URL. */
import { logo, logoBytesMax } from '#schemas/api/logo.ts';
import { ClientError } from '#shared/errors.ts';
import type { FetchLimits, SafeFetch } from '../../platform/outgoing/safe-fetch.ts';

const redirectsMax = 3;

/**
 * The picture behind a URL, in base64: up to 1 MB, its type detected from its first bytes.
 * @throws {ClientError} as {@link SafeFetch.get}, and UNPROCESSABLE naming the field if the answer is not a picture
 */
export const fetchLogo = async (
  safeFetch: SafeFetch,
  url: string,
  { field, timeoutMs }: Pick<FetchLimits, 'field' | 'timeoutMs'>,
): Promise<string> => {
  const bytes = await safeFetch.get(url, {
    field,
    bytesMax: logoBytesMax,
    timeoutMs,
    redirectsMax,
    accept: 'image/png, image/jpeg, image/webp, image/gif, image/svg+xml',
  });
  const parsed = logo.safeParse(bytes.toString('base64'));
  if (!parsed.success)
    throw new ClientError('UNPROCESSABLE', `${field} must be a PNG, JPEG, GIF, WebP or SVG picture`);
  return parsed.data;
};
