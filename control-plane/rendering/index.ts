/** The rendering of codes, as used by other folders. */
export { type QueueRefusal, refusals } from '../platform/fair-queue/fair-gate.ts';
export { beginsAtRight } from './captions/bidi.ts';
export type { Look } from './look/look.ts';
export { presetStyles } from './look/presets.ts';
export { resolveStyle } from './look/resolve-style.ts';
export { warningOfOthers } from './proof/smaller-logo.ts';
export { createTallies } from './proof/tally.ts';
export { createRenderer, type Renderer, type RendererOptions, RenderTimeout } from './renderer.ts';
export type { PictureFormat, Rendered, RenderRequest } from './request.ts';
export { sizeDefault } from './scene/size.ts';
export type { Series, SeriesPicture, SeriesRefusal, SeriesRequest } from './series.ts';
export { codeFontMetrics } from './sheets/code-font.ts';
export {
  type CodeLine,
  type LabelDesign,
  type PagePartTask,
  partLabelsMax,
  pointsPerMm,
  type SheetDesign,
  type SheetLabel,
  type Stroke,
} from './sheets/page.ts';
export type { SetText, TextTask } from './sheets/set-text.ts';
export { sheetDocument } from './sheets/sheet-document.ts';
export { type SheetSymbol, sheetSymbol } from './sheets/sheet-symbol.ts';
export { smallestVersions } from './symbol/matrix.ts';
export type { Work } from './worker.ts';
