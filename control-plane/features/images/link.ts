/** Signed links to pictures: a link gives access to that picture only, until it expires. */
import { equalInConstantTime, hmacSha256 } from '#shared/signing.ts';

/** Each part as in the link. */
export interface LinkParts {
  id: string;
  format: string;
  size?: string | undefined;
  source?: string | undefined;
  /** Epoch milliseconds. */
  exp: string;
}

/** @param key derived for the purpose `render-link` */
export const createLinks = (key: Buffer) => {
  // As JSON, different links never look alike; an absent part differs from an empty one.
  const signatureOf = ({ id, format, size, source, exp }: LinkParts): string =>
    hmacSha256(key, JSON.stringify([id, format, size ?? null, source ?? null, exp])).toString('base64url');

  return {
    /** Path and query of a link. */
    create(parts: LinkParts): string {
      const query = new URLSearchParams({
        format: parts.format,
        ...(parts.size !== undefined && { size: parts.size }),
        ...(parts.source !== undefined && { source: parts.source }),
        exp: parts.exp,
        sig: signatureOf(parts),
      });
      return `/api/qr/render/${parts.id}?${query}`;
    },
    /** @param now epoch milliseconds */
    isValid: (parts: LinkParts, sig: string, now: number): boolean =>
      equalInConstantTime(signatureOf(parts), sig) && Number(parts.exp) > now,
  };
};

export type Links = ReturnType<typeof createLinks>;
