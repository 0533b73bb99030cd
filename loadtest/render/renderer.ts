/** The renderer of a build: the measured part of its interface. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Style } from '#schemas/api/style.ts';

export interface Request {
  payload: string;
  look: unknown;
  /** The look, as earlier builds name it. */
  style: unknown;
  format: 'png' | 'svg' | 'webp' | 'jpg' | 'pdf';
  width: number;
  proof: 'picture' | 'style';
}

export interface Renderer {
  render(request: Request): Promise<{ body: Buffer; decoded: string }>;
  close(): Promise<void>;
}

export interface Build {
  createRenderer(options: { threads: number }): Renderer;
  resolveStyle(style: Style): unknown;
}

/** @param folder of the build that is measured, which may not be this one */
export const loadBuild = async (folder: string): Promise<Build> =>
  await import(pathToFileURL(path.join(folder, 'control-plane/rendering/index.ts')).href);

const gradient = {
  type: 'linear' as const,
  rotation: 0.7,
  colorStops: [
    { offset: 0, color: '#102a43' },
    { offset: 1, color: '#7b1e3a' },
  ],
};

const rounded: Style = { dotsOptions: { type: 'rounded', color: gradient } };

/** The pictures that are rendered, by the id of their row. */
export const looks = {
  svgPlain: { style: {}, format: 'svg', width: 512 },
  svgRounded: { style: rounded, format: 'svg', width: 512 },
  pngPlain: { style: {}, format: 'png', width: 512 },
  pngRounded: { style: rounded, format: 'png', width: 512 },
  webpRounded: { style: rounded, format: 'webp', width: 512 },
  pdfFramed: { style: { ...rounded, frame: { id: 'banner' } }, format: 'pdf', width: 512 },
} as const satisfies Record<string, { style: Style; format: Request['format']; width: number }>;

export type LookId = keyof typeof looks;

let codes = 0;

/** A code that was never rendered before, as long as a redirect's address is. */
export const nextPayload = (): string =>
  `https://qr.example.com/r/${(codes++).toString(36).padStart(9, '0')}`;
