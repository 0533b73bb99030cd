/**
 * Pictures of codes, made when they are needed and kept in memory. The record of truth is the saved style: a picture
 * follows from it and from the code's address, to the byte, so it is kept nowhere else, and losing the cache loses
 * nothing. What is kept is named by everything that it follows from, so a changed style never meets an old picture.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { formatOf, type ImageFormat } from '#schemas/api/images.ts';
import type { Style } from '#schemas/api/style.ts';
import { type Rendered, type Renderer, resolveStyle } from '../../rendering/index.ts';
import type { BrandKits } from '../brand-kits/kits.ts';

/** Changes whenever the same request is drawn differently, so that nobody keeps the old picture. */
const drawingVersion = 3;
/** Pixels of each side where neither the request nor the saved style says. */
export const sizeDefault = 512;

const cacheBytesMax = 64 * 2 ** 20;
/** A code's entry beside the picture itself. */
const entryBytes = 500;
const looksMax = 50_000;

/** What a picture needs to know of a code without reading its style, which has up to a megabyte of logo. */
export interface PicturedCode {
  id: string;
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
  width: number;
  height: number;
}

export interface Picture {
  etag: string;
  format: ImageFormat;
  /** Draws it, or takes it from memory. @throws what {@link Renderer.render} throws */
  draw(): Promise<Rendered>;
}

export interface Pictures {
  /** @param readStyle called where the style is needed and not known */
  of(code: PicturedCode, asked: Asked, readStyle: () => Promise<Style | null>): Promise<Picture>;
  /**
   * Draws the picture of a style that is about to be saved, and keeps it.
   * @throws {ClientError} UNPROCESSABLE naming what of the style cannot be drawn or read
   */
  prove(id: string, style: Style): Promise<void>;
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
    digest: createHash('sha256').update(canonical(style)).digest('base64url'),
    brandKitId,
    format: formatOf(returnType),
    width: width ?? height ?? sizeDefault,
    height: height ?? width ?? sizeDefault,
  };
};

/** The same text for the same style: PostgreSQL keeps the keys of JSON in an order of its own. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

export const createPictures = ({ renderer, kits, urlOf }: PicturesOptions): Pictures => {
  const pictures = new LRUCache<string, Rendered>({
    maxSize: cacheBytesMax,
    sizeCalculation: ({ body }) => body.length + entryBytes,
  });
  /** By code and version. */
  const looks = new LRUCache<string, Look>({ max: looksMax });
  /** Whoever asks for a picture that is being drawn gets that one. */
  const drawing = new Map<string, Promise<Rendered>>();

  const once = (key: string, draw: () => Promise<Rendered>): Promise<Rendered> => {
    const begun = drawing.get(key);
    if (begun) return begun;
    const rendering = draw().finally(() => drawing.delete(key));
    drawing.set(key, rendering);
    return rendering;
  };

  const pictureOf = async (
    id: string,
    look: Look,
    { format = look.format, size, source }: Asked,
    readStyle: () => Promise<Style | null>,
  ): Promise<Picture> => {
    const { width, height } = size === undefined ? look : { width: size, height: size };
    const payload = source === undefined ? urlOf(id) : `${urlOf(id)}?s=${encodeURIComponent(source)}`;
    const kit = look.brandKitId === undefined ? undefined : await kits.find(look.brandKitId);
    const madeFrom = [
      drawingVersion,
      payload,
      look.digest,
      kit && `${kit.kitId} ${kit.version}`,
      format,
      width,
      height,
    ];
    const key = createHash('sha256').update(JSON.stringify(madeFrom)).digest('base64url');
    const render = async (): Promise<Rendered> => {
      const style = resolveStyle((await readStyle()) ?? {}, kit && (await kits.styleOf(kit)));
      const picture = await renderer.render({ payload, style, format, width, height });
      pictures.set(key, picture);
      return picture;
    };
    return { etag: `"${key}"`, format, draw: async () => pictures.get(key) ?? once(key, render) };
  };

  return {
    async of({ id, version }, asked, readStyle) {
      const known = looks.get(`${id} ${version}`);
      if (known) return pictureOf(id, known, asked, readStyle);
      const style = await readStyle();
      const look = lookOf(style);
      looks.set(`${id} ${version}`, look);
      return pictureOf(id, look, asked, async () => style);
    },
    async prove(id, style) {
      await (await pictureOf(id, lookOf(style), {}, async () => style)).draw();
    },
    statistics: () => ({ pictures: pictures.size, bytes: pictures.calculatedSize }),
  };
};
