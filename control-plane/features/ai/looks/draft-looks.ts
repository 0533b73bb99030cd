/** Three looks by words, by a logo, or by both. */
import type { z } from 'zod';
import type { DraftLooksBody, draftedLooks } from '#schemas/api/ai.ts';
import type { Style } from '#schemas/api/style.ts';
import { validateBody } from '../../../api/http/validation.ts';
import type { Renderer } from '../../../rendering/index.ts';
import { type Drafting, type DraftKind, draft } from '../model/draft.ts';
import { type Idea, ideas, ideasSchema, styleOf } from './idea.ts';
import { logoColors } from './logo-colors.ts';
import { nearestReadable } from './nearest.ts';

/** @returns warnings @throws {ClientError} UNPROCESSABLE if no reader reads a code in this style */
export type Prove = (workspaceId: string, style: Style) => Promise<readonly string[]>;

const kind: DraftKind<{ looks: Idea[] }> = {
  task:
    'You design the look of a QR code for what the user describes in words, or by the colours of a logo. Modules, eyes and ' +
    'frame are dark and the background is light, with a contrast of at least 5 to 1.',
  schema: { name: 'looks', schema: ideasSchema },
  check: (answer) => validateBody(ideas, answer),
};

/** @throws {ClientError} like {@link draft}; UNPROCESSABLE naming `image` if a code with the logo cannot be read */
export const draftLooks = async (
  { words, image }: DraftLooksBody,
  workspaceId: string,
  { prove, renderer, drafting }: { prove: Prove; renderer: Renderer; drafting: Drafting },
): Promise<z.output<typeof draftedLooks>> => {
  const colors = image === undefined ? undefined : await logoColors(renderer, image, workspaceId);
  const { looks } = await draft(
    kind,
    { ...(words !== undefined && { words }), ...(colors && { colorsOfTheLogo: colors }) },
    drafting,
  );
  const proven = looks.map(async (idea) => {
    const nearest = await nearestReadable(idea, (tried) => prove(workspaceId, styleOf(tried, image)));
    const { changes, warnings } = nearest;
    return {
      name: idea.name,
      style: styleOf(nearest.idea),
      changes,
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    };
  });
  return { looks: await Promise.all(proven), warnings: [] };
};
