/** Payload, look and size → the scene: the first stage, with the caption and the sizes that follow from the matrix. */
import type { Caption } from '../captions/caption.ts';
import type { PreparedLogo } from '../logo/prepare-logo.ts';
import type { FrameLook, Look } from '../look/look.ts';
import { marginOf } from '../look/quiet-zone.ts';
import { type CorrectionLevel, encodeMatrix } from '../symbol/matrix.ts';
import { continuesInFrame, proportionOf } from './composition.ts';
import type { Scene } from './scene.ts';
import { pictureSize } from './size.ts';

export interface SceneRequest {
  payload: string;
  fnc1?: boolean;
  look: Look;
  logo?: PreparedLogo | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

/** Fonts and their shaper are loaded with the first caption. */
const prepareCaption = async (frame: FrameLook): Promise<Caption | undefined> => {
  if (frame.text.trim() === '') return undefined;
  const { setCaption } = await import('../captions/caption.ts');
  return setCaption(frame);
};

/**
 * @param level of error correction, overriding the look's
 * @throws {ClientError} UNPROCESSABLE naming the part that cannot be encoded or drawn
 */
export const setScene = async (request: SceneRequest, level: CorrectionLevel): Promise<Scene> => {
  const { payload, fnc1, logo } = request;
  const { version, mode, frame } = request.look;
  const matrix = encodeMatrix(payload, level, { version, mode, fnc1 });
  const margin = marginOf(request.look, matrix.size, continuesInFrame(request.look));
  const look = { ...request.look, margin };
  const caption = frame && (await prepareCaption(frame));
  const proportion = proportionOf(look, caption, matrix.size + 2 * look.margin);
  return { payload, matrix, look, logo, caption, ...pictureSize(request, proportion) };
};
