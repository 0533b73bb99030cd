/**
 * Pictures of codes, made when they are needed and kept in memory. The record of truth is the saved style: a picture
 * follows from it and from the code's address, to the byte, so it is kept nowhere else, and losing the cache loses
 * nothing. What is kept is named by everything that it follows from, so a changed style never meets an old picture.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { formatOf, type ImageFormat } from '#schemas/api/images.ts';
import type { Style } from '#schemas/api/style.ts';
import { canonicalJson } from '#shared/canonical-json.ts';
import {
  type Rendered,
  type Renderer,
  type RenderRequest,
  resolveStyle,
  sizeDefault,
} from '../../rendering/index.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import type { BrandKit } from '../brand-kits/store.ts';
import { renderInKit } from './fallback.ts';

/** Changes whenever the same request is drawn differently, so that nobody keeps the old picture. */
const drawingVersion = 5;

const cacheBytesMax = 64 * 2 ** 20;
/** A code's entry beside the picture itself. */
const entryBytes = 500;
const looksMax = 50_000;
/** A fallback is kept for so long: what is wrong with a logo's server may be over soon. */
const fallbackKeptMs = 60_000;

/** A saved style, and the version of the code that has it: read together, since either may be of no use a moment later. */
export interface ReadStyle {
  version: number;
  style: Style | null;
}

/** What a picture needs to know of a code without reading its style, which has up to a megabyte of logo. */
export interface PicturedCode {
  id: string;
  workspaceId: string;
  /** Grows with every change of the code. */
  version: number;
}

export interface Asked {
  format?: ImageFormat | undefined;
  /** Pixels of each side. */
  size?: number | undefined;
  /** Id of one of the code's sources. */
  source?: string | undefined;
}

/** What of a style decides about a picture, in short. */
interface Look {
  /** SHA-256 of all of it. */
  digest: string;
  brandKitId: string | undefined;
  format: ImageFormat;
  /** Pixels; where one is missing it follows from the other and the frame. */
  width: number | undefined;
  height: number | undefined;
}

type Request = Omit<RenderRequest, 'look'>;

export interface Drawn extends Rendered {
  etag: string;
  /** In another look than the brand kit's present one: a code must not be lost with its kit. */
  isFallback: boolean;
}

export interface Picture {
  /** Of the picture, unless it turns out to be a fallback or the code changes meanwhile: what is drawn says what it is. */
  etag: string;
  /**
   * Draws it, or takes it from memory.
   * @throws what {@link Renderer.render} throws, but nothing that is a brand kit's fault
   */
  draw(): Promise<Drawn>;
}

/** What is drawn for: a code, or one that is to be. */
export type ProvenCode = Pick<PicturedCode, 'id' | 'workspaceId'>;

export interface Pictures {
  /** @param readStyle called where the style is needed and not known */
  of(code: PicturedCode, asked: Asked, readStyle: () => Promise<ReadStyle>): Promise<Picture>;
  /**
   * Draws the picture of a style that is about to be saved, and keeps it.
   * @returns what of the style is read, and yet is not good
   * @throws {ClientError} UNPROCESSABLE naming what of the style, or of its brand kit, cannot be drawn or read
   */
  prove(code: ProvenCode, style: Style): Promise<readonly string[]>;
  statistics(): { pictures: number; bytes: number };
}

export interface PicturesOptions {
  renderer: Renderer;
  kits: BrandKits;
  /** What the pattern of a code encodes. */
  urlOf(id: string): string;
}

const lookOf = (style: Style | null): Look => {
  const { brandKitId, returnType, width, height } = style ?? {};
  return {
    // PostgreSQL keeps the keys of JSON in an order of its own.
    digest: hash('sha256', canonicalJson(style), 'base64url'),
    brandKitId,
    format: formatOf(returnType),
    ...(width === undefined && height === undefined
      ? { width: sizeDefault, height: sizeDefault }
      : { width, height }),
  };
};

export const createPictures = ({ renderer, kits, urlOf }: PicturesOptions): Pictures => {
  const pictures = new LRUCache<string, Drawn>({
    maxSize: cacheBytesMax,
    sizeCalculation: ({ body }) => body.length + entryBytes,
  });
  /** By code and version. */
  const looks = new LRUCache<string, Look>({ max: looksMax });
  /** Whoever asks for a picture that is being drawn gets that one. */
  const drawing = new Map<string, Promise<Drawn>>();

  const once = (key: string, draw: () => Promise<Drawn>): Promise<Drawn> => {
    const begun = drawing.get(key);
    if (begun) return begun;
    const rendering = draw().finally(() => drawing.delete(key));
    drawing.set(key, rendering);
    return rendering;
  };

  const remember = (id: string, { version, style }: ReadStyle): Look => {
    const look = lookOf(style);
    looks.set(`${id} ${version}`, look);
    return look;
  };

  const requestOf = (id: string, look: Look, { format, size, source }: Asked) => ({
    payload: source === undefined ? urlOf(id) : `${urlOf(id)}?s=${encodeURIComponent(source)}`,
    format: format ?? look.format,
    width: size ?? look.width,
    height: size ?? look.height,
  });

  const keyOf = (request: object, { digest }: Look, kit: BrandKit | undefined): string =>
    hash(
      'sha256',
      canonicalJson([drawingVersion, request, digest, kit && `${kit.kitId} ${kit.version}`]),
      'base64url',
    );

  /** In the first of its looks in which it is read. */
  const drawSaved = async (
    key: string,
    tenant: string,
    request: Request,
    style: Style,
    kit: BrandKit | undefined,
  ): Promise<Drawn> => {
    const render = (resolved: RenderRequest['look']) =>
      renderer.render({ ...request, look: resolved, unreadable: 'draw' }, tenant);
    if (!kit) return { ...(await render(resolveStyle(style))), etag: `"${key}"`, isFallback: false };
    const { rendered, isFallback } = await renderInKit(kits, kit, style, render);
    const content = isFallback ? `.${hash('sha256', rendered.body, 'base64url')}` : '';
    return { ...rendered, etag: `"${key}${content}"`, isFallback };
  };

  const pictureOf = async (
    code: PicturedCode,
    look: Look,
    asked: Asked,
    read: () => Promise<ReadStyle>,
  ): Promise<Picture> => {
    const request = requestOf(code.id, look, asked);
    const kit =
      look.brandKitId === undefined ? undefined : await kits.find(code.workspaceId, look.brandKitId);
    const key = keyOf(request, look, kit);
    const render = async (): Promise<Drawn> => {
      const saved = await read();
      // Changed since: what is drawn of it belongs to the look that it has now.
      if (saved.version !== code.version) {
        const present = { ...code, version: saved.version };
        const picture = await pictureOf(present, remember(code.id, saved), asked, async () => saved);
        return picture.draw();
      }
      const drawn = await drawSaved(key, code.workspaceId, request, saved.style ?? {}, kit);
      pictures.set(key, drawn, drawn.isFallback ? { ttl: fallbackKeptMs } : {});
      return drawn;
    };
    return { etag: `"${key}"`, draw: async () => pictures.get(key) ?? once(key, render) };
  };

  return {
    async of(code, asked, readStyle) {
      const known = looks.get(`${code.id} ${code.version}`);
      if (known) return pictureOf(code, known, asked, readStyle);
      const saved = await readStyle();
      const present = { ...code, version: saved.version };
      return pictureOf(present, remember(code.id, saved), asked, async () => saved);
    },
    async prove({ id, workspaceId }, style) {
      const look = lookOf(style);
      const request = requestOf(id, look, {});
      const kit = look.brandKitId === undefined ? undefined : await kits.find(workspaceId, look.brandKitId);
      const key = keyOf(request, look, kit);
      const render = async (): Promise<Drawn> => {
        const resolved = resolveStyle(style, kit && (await kits.styleOf(kit)));
        const drawn = {
          ...(await renderer.render({ ...request, look: resolved }, workspaceId)),
          etag: `"${key}"`,
          isFallback: false,
        };
        pictures.set(key, drawn);
        return drawn;
      };
      const known = pictures.get(key);
      const isProof =
        known !== undefined && !known.sizeNeeded && !known.isRefusedByDefault && !known.isFallback;
      const { warnings } = isProof ? known : await once(`proof ${key}`, render);
      return warnings;
    },
    statistics: () => ({ pictures: pictures.size, bytes: pictures.calculatedSize }),
  };
};
