/**
 * Pictures of codes, drawn when needed and cached in memory. The saved style is the source of truth: a picture follows
 * from it and from the code's address, to the byte, so it is not stored, and losing the cache loses nothing.
 */
import { hash } from 'node:crypto';
import type { Style } from '#schemas/api/style.ts';
import { createEntryCache } from '#shared/entry-cache.ts';
import type { LinkedCode } from '#shared/redirect-url.ts';
import { type Look, type Renderer, resolveStyle } from '../../rendering/index.ts';
import type { BrandKit } from '../brand-kits/brand-kit.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { createDrawnPictures, type Drawn } from './drawn-pictures.ts';
import { renderInKit } from './fallback.ts';
import { createKindProofs, type KindProofs, type ProvenCode, type ProvePicture } from './kind-proofs.ts';
import {
  type Asked,
  type PictureRequest,
  pictureKey,
  pictureRequest,
  type StyleSummary,
  summaryOf,
} from './picture-key.ts';

const summariesMax = 50_000;

/** A saved style, and the version of its code: read together, since either may be outdated a moment later. */
export interface ReadStyle {
  version: number;
  style: Style | null;
}

/** The parts of a code that its picture needs, without its style, which has up to a megabyte of logo. */
export interface PicturedCode extends ProvenCode {
  /** Grows with every change of the code. */
  version: number;
}

/** The requested picture, before it is drawn. */
export interface RequestedPicture {
  /** The tag, unless the picture is a fallback or the code changes meanwhile: {@link Drawn} has the final tag. */
  etag: string;
  /**
   * Draws it, or takes it from memory.
   * @throws errors of {@link Renderer.render}, except faults of a brand kit
   */
  draw(): Promise<Drawn>;
}

export interface Pictures {
  /** @param readStyle called if the style is needed and not cached */
  of(code: PicturedCode, asked: Asked, readStyle: () => Promise<ReadStyle>): Promise<RequestedPicture>;
  /** Caches the picture that it draws. */
  readonly prove: ProvePicture;
  readonly kinds: KindProofs;
  statistics(): { pictures: number; bytes: number };
}

export interface PicturesOptions {
  renderer: Renderer;
  kits: BrandKits;
  /** The URL that the pattern of a code encodes. */
  urlOf(code: LinkedCode): string;
}

/** A picture with its name, before it is drawn. */
interface Named {
  request: PictureRequest;
  kit: BrandKit | undefined;
  key: string;
}

/** Whether a picture drawn on request also proves that its style is readable. */
const isProof = ({ sizeNeeded, isRefusedByDefault, isFallback }: Drawn): boolean =>
  !sizeNeeded && !isRefusedByDefault && !isFallback;

export const createPictures = ({ renderer, kits, urlOf }: PicturesOptions): Pictures => {
  const drawnPictures = createDrawnPictures();
  /** By code and version. */
  const summaries = createEntryCache<string, StyleSummary>(summariesMax);

  const remember = (id: string, { version, style }: ReadStyle): StyleSummary => {
    const summary = summaryOf(style);
    summaries.set(`${id} ${version}`, summary);
    return summary;
  };

  const name = async (code: ProvenCode, summary: StyleSummary, asked: Asked): Promise<Named> => {
    const { brandKitId } = summary;
    const request = pictureRequest(urlOf(code), summary, asked);
    const kit = brandKitId === undefined ? undefined : await kits.find(code.workspaceId, brandKitId);
    return { request, kit, key: pictureKey(request, summary, kit) };
  };

  /** Draws a picture in the first of its looks that is readable. */
  const drawSaved = async ({ request, kit, key }: Named, tenant: string, style: Style): Promise<Drawn> => {
    const render = (look: Look) => renderer.render({ ...request, look, unreadable: 'draw' }, tenant);
    if (!kit) return { ...(await render(resolveStyle(style))), etag: `"${key}"`, isFallback: false };
    const { rendered, isFallback } = await renderInKit(kits, kit, style, render);
    const content = isFallback ? `.${hash('sha256', rendered.body, 'base64url')}` : '';
    return { ...rendered, etag: `"${key}${content}"`, isFallback };
  };

  const drawProof = async ({ request, kit, key }: Named, tenant: string, style: Style): Promise<Drawn> => {
    const look = resolveStyle(style, kit && (await kits.styleOf(kit)));
    return { ...(await renderer.render({ ...request, look }, tenant)), etag: `"${key}"`, isFallback: false };
  };

  const pictureOf = async (
    code: PicturedCode,
    summary: StyleSummary,
    asked: Asked,
    read: () => Promise<ReadStyle>,
  ): Promise<RequestedPicture> => {
    const named = await name(code, summary, asked);
    const { key } = named;
    const draw = async (): Promise<Drawn> => {
      const saved = await read();
      // Changed since: draw the style that the code has now.
      if (saved.version !== code.version) return (await pictureOfSaved(code, saved, asked)).draw();
      return drawnPictures.keep(key, await drawSaved(named, code.workspaceId, saved.style ?? {}));
    };
    return { etag: `"${key}"`, draw: async () => drawnPictures.get(key) ?? drawnPictures.once(key, draw) };
  };

  const pictureOfSaved = (code: PicturedCode, saved: ReadStyle, asked: Asked): Promise<RequestedPicture> =>
    pictureOf({ ...code, version: saved.version }, remember(code.id, saved), asked, async () => saved);

  const prove: ProvePicture = async (code, style) => {
    const named = await name(code, summaryOf(style), {});
    const { key } = named;
    const known = drawnPictures.get(key);
    if (known && isProof(known)) return known.warnings;
    const proof = await drawnPictures.once(`proof ${key}`, async () =>
      drawnPictures.keep(key, await drawProof(named, code.workspaceId, style)),
    );
    return proof.warnings;
  };

  return {
    async of(code, asked, readStyle) {
      const known = summaries.get(`${code.id} ${code.version}`);
      return known
        ? pictureOf(code, known, asked, readStyle)
        : pictureOfSaved(code, await readStyle(), asked);
    },
    prove,
    kinds: createKindProofs(prove, urlOf),
    statistics: drawnPictures.statistics,
  };
};
