/** The part of fontkit 2 that captions use; the package comes without types. */
declare module 'fontkit' {
  export interface PathCommand {
    command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath';
    args: number[];
  }

  export interface Glyph {
    id: number;
    path: { commands: PathCommand[] };
  }

  /** In font units. */
  export interface GlyphPosition {
    xAdvance: number;
    xOffset: number;
    yOffset: number;
  }

  export interface Font {
    unitsPerEm: number;
    capHeight: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    layout(
      text: string,
      features: string[] | undefined,
      script: string | undefined,
      language: string | undefined,
      direction: 'ltr' | 'rtl',
    ): { glyphs: Glyph[]; positions: GlyphPosition[] };
  }

  export const create: (file: Buffer) => Font;
}
