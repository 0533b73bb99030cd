/** Static codes: the pattern holds the payload itself. They are drawn and not stored. */
import type { StaticCodeBody } from '#schemas/api/code-bodies.ts';
import { formatOf } from '#schemas/api/images.ts';
import type { StaticCode } from '#schemas/api/static.ts';
import { limitedAddress } from '#shared/networks.ts';
import type { Reply } from '../../http/operation.ts';
import { withWarnings } from '../../http/warnings.ts';
import { type Rendered, type Renderer, type RenderRequest, resolveStyle } from '../../rendering/index.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { prepareSymbol } from '../codes/payload.ts';
import { newStyle } from '../codes/saved-style.ts';

type Body = Pick<StaticCodeBody, 'data' | 'dataType' | 'brandKitId' | 'returnType' | 'width' | 'height'> &
  object;

/** Markup for SVG, a data URI for the other formats. */
const inline = ({ body, contentType }: Rendered): string =>
  contentType.startsWith('image/svg')
    ? body.toString()
    : `data:${contentType};base64,${body.toString('base64')}`;

/** A workspace, or an address if the request has no API key. */
export type Asker = { workspaceId: string } | { address: string };

/** Draws a static code. @param proof see {@link RenderRequest.proof} */
export type DrawStaticCode = (asker: Asker, body: Body, proof?: RenderRequest['proof']) => Promise<Rendered>;

export const createStaticDrawing =
  (renderer: Renderer, kits: BrandKits): DrawStaticCode =>
  async (asker, body, proof = 'picture') => {
    const { brandKitId, returnType, width, height } = body;
    const kit =
      'workspaceId' in asker && brandKitId !== undefined
        ? await kits.applicable(asker.workspaceId, brandKitId)
        : undefined;
    const request = {
      ...prepareSymbol(body.dataType, body.data),
      look: resolveStyle(newStyle(body) ?? {}, kit && (await kits.styleOf(kit))),
      format: formatOf(returnType),
      width,
      height,
      proof,
    };
    const tenant = 'workspaceId' in asker ? asker.workspaceId : { address: limitedAddress(asker.address) };
    return renderer.render(request, tenant);
  };

export type RenderStaticCode = (asker: Asker, body: Body) => Promise<Reply>;

/** The answer to a request for one static code. */
export const createStaticRendering =
  (draw: DrawStaticCode): RenderStaticCode =>
  async (asker, body) => {
    const { dataType, returnType } = body;
    const rendered = await draw(asker, body);
    const code: StaticCode = {
      type: 'static',
      dataType,
      format: formatOf(returnType),
      image: inline(rendered),
    };
    return { headers: { 'x-qr-decoded': rendered.decoded }, body: withWarnings(code, rendered.warnings) };
  };
