/** Static codes: the pattern holds the payload itself. They are drawn and not stored. */
import type { StaticCodeBody } from '#schemas/api/code-bodies.ts';
import { formatOf } from '#schemas/api/images.ts';
import type { StaticCode } from '#schemas/api/static.ts';
import { limitedAddress } from '#shared/networks.ts';
import type { Reply } from '../../api/http/operation.ts';
import { inSteps } from '../../api/http/steps.ts';
import { withWarnings } from '../../api/http/warnings.ts';
import { type Rendered, type Renderer, type RenderRequest, resolveStyle } from '../../rendering/index.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { prepareSymbol } from '../codes/payload.ts';
import { newStyle } from '../codes/saved-style.ts';

type Body = Pick<StaticCodeBody, 'data' | 'dataType' | 'brandKitId' | 'returnType' | 'width' | 'height'> &
  object;

/** Bytes in base64 at once: a multiple of three, whose base64 has no padding. */
const encodedAtOnce = 192 * 1024;

/** The base64 of megabytes: as one string it would hold others for 100 ms. */
function* base64Steps(bytes: Buffer): Generator<void, Buffer[]> {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += encodedAtOnce) {
    parts.push(Buffer.from(bytes.toString('base64', at, at + encodedAtOnce), 'latin1'));
    yield;
  }
  return parts;
}

/** The code as JSON: its image is markup for SVG, and a data URI for the other formats. */
const jsonOf = async (code: object, { body, contentType }: Rendered): Promise<Buffer[]> => {
  if (contentType.startsWith('image/svg'))
    return [Buffer.from(JSON.stringify({ ...code, image: body.toString() }))];
  const start = JSON.stringify({ ...code, image: `data:${contentType};base64,` }).slice(0, -'"}'.length);
  return [Buffer.from(start), ...(await inSteps(base64Steps(body))), Buffer.from('"}')];
};

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
    const code: Omit<StaticCode, 'image'> = { type: 'static', dataType, format: formatOf(returnType) };
    return {
      headers: { 'x-qr-decoded': rendered.decoded, 'content-type': 'application/json; charset=utf-8' },
      parts: await jsonOf(withWarnings(code, rendered.warnings), rendered),
    };
  };
