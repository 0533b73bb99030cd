/** The Waymark API, typed by its OpenAPI document. */
export { createWaymark, type Waymark, type WaymarkOptions } from './client.ts';
export { ok, WaymarkError } from './errors.ts';
export { type ListPath, pages } from './pages.ts';
export type { components, operations, paths, webhooks } from './schema.d.ts';
