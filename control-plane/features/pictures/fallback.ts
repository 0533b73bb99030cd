/**
 * A printed code must not be lost with its brand kit. A kit is proven when it changes, but not together with each
 * code's own style, and its logo may be unavailable. So a code that is not readable in the present look of its kit is
 * drawn in the last look in which it is.
 */
import type { Style } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { type Look, type Rendered, RenderTimeout, resolveStyle } from '../../rendering/index.ts';
import type { BrandKit } from '../brand-kits/brand-kit.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { styleOfKit } from '../brand-kits/style-of-kit.ts';

/** Whether another look may do better. A full queue does not depend on the look. */
const isOfLook = (error: unknown): boolean =>
  error instanceof RenderTimeout || (error instanceof ClientError && error.code === 'UNPROCESSABLE');

/** The present look, then its fallbacks: from the most similar to the plain one, which is always readable. */
async function* looksOf(kits: BrandKits, kit: BrandKit, own: Style) {
  yield async () => resolveStyle(own, await kits.styleOf(kit));
  for (const earlier of await kits.earlier(kit)) {
    yield async () => resolveStyle(own, await kits.styleOf(earlier));
  }
  yield async () => resolveStyle(own, styleOfKit(kit.fields));
  yield async () => resolveStyle(own);
  yield async () => resolveStyle({});
}

/** @throws errors of `render` that do not depend on the look */
export const renderInKit = async (
  kits: BrandKits,
  kit: BrandKit,
  own: Style,
  render: (look: Look) => Promise<Rendered>,
): Promise<{ rendered: Rendered; isFallback: boolean }> => {
  let refusal: unknown;
  for await (const look of looksOf(kits, kit, own)) {
    try {
      const rendered = await render(await look());
      return { rendered, isFallback: refusal !== undefined };
    } catch (error) {
      if (!isOfLook(error)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
};
