/** The nearest look to an idea that a reader reads: first the idea itself, then the same with more contrast, then in plainer forms. */
import { ClientError } from '#shared/errors.ts';
import type { Idea } from './idea.ts';

interface Step {
  /** What it changes, in words. */
  changes: string | null;
  of(idea: Idea): Idea;
}

const channels = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** @param share of the way to the other colour, 0 to 1 */
const toward = (other: number, share: number, color: string): string =>
  `#${channels(color)
    .map((channel) =>
      Math.round(channel + (other - channel) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

const contrasted = (idea: Idea, share: number): Idea => {
  const darker = (color: string): string => toward(0, share, color);
  return {
    ...idea,
    dots: { ...idea.dots, color: darker(idea.dots.color) },
    eyes: { ...idea.eyes, color: darker(idea.eyes.color) },
    eyeCenters: { ...idea.eyeCenters, color: darker(idea.eyeCenters.color) },
    background: toward(255, share, idea.background),
    frame: idea.frame && { ...idea.frame, color: darker(idea.frame.color) },
  };
};

const plain = (idea: Idea): Idea => ({
  ...idea,
  shape: 'square',
  dots: { ...idea.dots, type: 'square' },
  eyes: { ...idea.eyes, type: 'square' },
  eyeCenters: { ...idea.eyeCenters, type: 'square' },
});

const steps: readonly Step[] = [
  { changes: null, of: (idea) => idea },
  { changes: 'darker modules and a lighter background', of: (idea) => contrasted(idea, 0.4) },
  { changes: 'much darker modules and a much lighter background', of: (idea) => contrasted(idea, 0.75) },
  {
    changes: 'plain forms, dark modules and a light background',
    of: (idea) => plain(contrasted(idea, 0.75)),
  },
  {
    changes: 'plain forms in black on white, without a frame',
    of: (idea) => ({ ...plain(contrasted(idea, 1)), frame: null }),
  },
];

export interface Nearest {
  idea: Idea;
  changes: string | null;
  warnings: readonly string[];
}

/**
 * @param prove throws ClientError UNPROCESSABLE for a look that no reader reads
 * @throws {ClientError} UNPROCESSABLE if not even plain black on white is read, which is the fault of the logo; what `prove`
 *   throws for another reason
 */
export const nearestReadable = async (
  idea: Idea,
  prove: (idea: Idea) => Promise<readonly string[]>,
): Promise<Nearest> => {
  let refusal: unknown;
  for (const { changes, of } of steps) {
    const tried = of(idea);
    try {
      return { idea: tried, changes, warnings: await prove(tried) };
    } catch (error) {
      if (!(error instanceof ClientError && error.code === 'UNPROCESSABLE')) throw error;
      refusal = error;
    }
  }
  throw refusal;
};
