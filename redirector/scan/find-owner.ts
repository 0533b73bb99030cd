/** What a page shows of a code's owner. Redirects show nothing, and do not wait for it. */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { Brands } from '../domains/brands.ts';
import type { ScanRequest } from './request.ts';
import type { Waiting } from './waiting.ts';

/** Notes the owner in the request. Never rejects: without an answer, the page is neutral. */
export type FindOwner = (request: ScanRequest, record: CodeRecord) => Promise<void>;

/** A domain's own brand comes before that of its workspace. */
export const createFindOwner =
  (brands: Pick<Brands, 'held' | 'load'>, waiting: Waiting): FindOwner =>
  async (request, { workspaceId, messages }) => {
    request.messages = messages;
    const held = request.site?.ownBrand ?? brands.held(workspaceId);
    const brand = held === undefined ? await waiting.during(() => brands.load(workspaceId)) : held;
    request.brand = brand ?? undefined;
  };
