/**
 * Proofs of kinds of pictures. Codes that are made together share few styles, and the URLs of all codes are of one length: a
 * style is proven with the first of them, and holds for every code whose symbol has the same size.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Style } from '#schemas/api/style.ts';
import { canonicalJson } from '#shared/canonical-json.ts';
import { ClientError } from '#shared/errors.ts';
import { smallestVersions } from '../../rendering/index.ts';
import type { BrandKit } from '../brand-kits/brand-kit.ts';

const kindsMax = 5_000;
/** A refusal is dear to find out and may be the fault of a logo's server: it is kept for one run, and not for the next. */
const refusalMs = 10_000;

/** The code that a style is proven with: one that exists, or one that is to be created. */
export interface ProvenCode {
  id: string;
  workspaceId: string;
}

/**
 * Draws the picture of a style that is about to be saved.
 * @returns warnings about a style that is read and is not good
 * @throws {ClientError} UNPROCESSABLE naming the field of the style, or of its brand kit, that cannot be drawn or read
 */
export type ProvePicture = (code: ProvenCode, style: Style) => Promise<readonly string[]>;

export interface KindProofs {
  /**
   * Names what a picture has in common with all others of its kind.
   * @param kit the brand kit that the style names
   */
  of(code: ProvenCode, style: Style, kit: BrandKit | undefined): string;
  /**
   * The proof of a kind. Only the first call draws a picture, that of the code given.
   * @returns and throws what {@link ProvePicture} does
   */
  prove(kind: string, code: ProvenCode, style: Style): Promise<readonly string[]>;
}

/** @param urlOf the URL that the pattern of a code encodes */
export const createKindProofs = (prove: ProvePicture, urlOf: (id: string) => string): KindProofs => {
  const proofs = new LRUCache<string, Promise<readonly string[]>>({ max: kindsMax });

  const forgetRefusal = (kind: string, proof: Promise<readonly string[]>, error: unknown): void => {
    if (proofs.peek(kind) !== proof) return;
    if (error instanceof ClientError && error.code === 'UNPROCESSABLE')
      proofs.set(kind, proof, { ttl: refusalMs });
    else proofs.delete(kind);
  };

  return {
    of: ({ id, workspaceId }, style, kit) =>
      hash(
        'sha256',
        canonicalJson([workspaceId, style, kit?.version ?? null, smallestVersions(urlOf(id))]),
        'base64url',
      ),
    prove(kind, code, style) {
      const known = proofs.get(kind);
      if (known) return known;
      const proof = prove(code, style);
      proofs.set(kind, proof);
      proof.catch((error: unknown) => forgetRefusal(kind, proof, error));
      return proof;
    },
  };
};
