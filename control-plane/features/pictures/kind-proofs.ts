/**
 * Proofs of kinds of pictures. Codes made together share few styles, and their URLs mostly have the same length: a
 * style is proven with the first of them, and the proof applies to every code whose symbol has the same size. A style
 * with a logo is proven with each code until enough were readable in a row (rendering/proof/tally.ts); a code that is
 * not readable is refused alone.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Style } from '#schemas/api/style.ts';
import { canonicalJson } from '#shared/canonical-json.ts';
import { ClientError } from '#shared/errors.ts';
import type { LinkedCode } from '#shared/redirect-url.ts';
import { createTallies, resolveStyle, smallestVersions, warningOfOthers } from '../../rendering/index.ts';
import type { BrandKit } from '../brand-kits/brand-kit.ts';
import { styleOfKit } from '../brand-kits/style-of-kit.ts';

const kindsMax = 5_000;
/** A refusal is expensive, but may be the fault of a logo's server: it is kept for one run, not for the next. */
const refusalMs = 10_000;

/** The code that a style is proven with: existing, or about to be created. */
export interface ProvenCode extends LinkedCode {
  workspaceId: string;
}

/**
 * Draws the picture of a style that is about to be saved.
 * @returns warnings about a style that is readable but not good
 * @throws {ClientError} UNPROCESSABLE naming the field of the style, or of its brand kit, that cannot be drawn or read
 */
export type ProvePicture = (code: ProvenCode, style: Style) => Promise<readonly string[]>;

/** The common part of all pictures of a kind. */
export interface PictureKind {
  name: string;
  /** Its own, or its kit's. */
  hasLogo: boolean;
}

export interface KindProofs {
  /** @param kit the brand kit that the style names */
  of(code: ProvenCode, style: Style, kit: BrandKit | undefined): PictureKind;
  /**
   * The proof of a kind. The code's picture is drawn if it is the first of its kind or, with a logo, among the first.
   * @returns and throws as {@link ProvePicture}
   */
  prove(kind: PictureKind, code: ProvenCode, style: Style): Promise<readonly string[]>;
}

const isRefusal = (error: unknown): boolean => error instanceof ClientError && error.code === 'UNPROCESSABLE';

const hasLogo = (style: Style, kit: BrandKit | undefined): boolean =>
  resolveStyle(style, kit && styleOfKit(kit.fields, kit.fields.logoUrl)).logo !== undefined;

/** @param urlOf the URL that the pattern of a code encodes */
export const createKindProofs = (prove: ProvePicture, urlOf: (code: LinkedCode) => string): KindProofs => {
  const proofs = new LRUCache<string, Promise<readonly string[]>>({ max: kindsMax });
  const tallies = createTallies();
  /** By kind, from its last code with a smaller logo than requested: others may need one, too. */
  const warned = new LRUCache<string, readonly string[]>({ max: kindsMax });

  /** The proof of one code, worded for all codes of its kind. */
  const proofOfOthers = (name: string, warnings: readonly string[]): Promise<readonly string[]> => {
    const ofOthers = warnings.map(warningOfOthers);
    if (ofOthers.some((each, index) => each !== warnings[index])) warned.set(name, ofOthers);
    return Promise.resolve(warned.get(name) ?? ofOthers);
  };

  const forgetRefusal = (name: string, proof: Promise<readonly string[]>, error: unknown): void => {
    if (proofs.peek(name) !== proof) return;
    if (isRefusal(error)) proofs.set(name, proof, { ttl: refusalMs });
    else proofs.delete(name);
  };

  /** The first proof applies to all. */
  const share = (name: string, proof: Promise<readonly string[]>) => {
    proofs.set(name, proof);
    proof.catch((error: unknown) => forgetRefusal(name, proof, error));
    return proof;
  };

  /** The proof applies to all once enough have had the same result. */
  const count = async (name: string, id: string, proof: Promise<readonly string[]>) => {
    try {
      const ofOthers = proofOfOthers(name, await proof);
      if (tallies.read(name, id)) proofs.set(name, ofOthers);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      proofs.delete(name);
      if (tallies.refused(name)) proofs.set(name, proof, { ttl: refusalMs });
    }
    return proof;
  };

  return {
    of: (code, style, kit) => ({
      name: hash(
        'sha256',
        canonicalJson([code.workspaceId, style, kit?.version ?? null, smallestVersions(urlOf(code))]),
        'base64url',
      ),
      hasLogo: hasLogo(style, kit),
    }),
    prove(kind, code, style) {
      const known = proofs.get(kind.name);
      if (known) return known;
      const proof = prove(code, style);
      return kind.hasLogo ? count(kind.name, code.id, proof) : share(kind.name, proof);
    },
  };
};
