/** The rendering of codes, as other rooms use it. */
export { type QueueRefusal, refusals } from '../fair-queue/fair-gate.ts';
export type { Look } from './look/look.ts';
export { presetStyles } from './look/presets.ts';
export { resolveStyle } from './look/resolve-style.ts';
export { createTallies } from './proof/tally.ts';
export { createRenderer, type Renderer, type RendererOptions, RenderTimeout } from './renderer.ts';
export type { PictureFormat, Rendered, RenderRequest } from './request.ts';
export { sizeDefault } from './scene/size.ts';
export type { Series, SeriesPicture, SeriesRefusal, SeriesRequest } from './series.ts';
export { smallestVersions } from './symbol/matrix.ts';
