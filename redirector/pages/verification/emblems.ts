/**
 * The sign of each state, a white form with a mark cut out of it. The forms differ like road signs, so that they can be
 * told apart without colour. On a grid of 96.
 */
import { raw } from 'hono/html';
import type { VerificationState } from './words.ts';

const centre = 48;

/** Points on a circle, the first one above the centre. */
const around = (count: number, radius: number, turn = 0): string[] =>
  Array.from({ length: count }, (_, index) => {
    const angle = ((index + turn) / count) * 2 * Math.PI - Math.PI / 2;
    return `${(centre + radius * Math.cos(angle)).toFixed(1)} ${(centre + radius * Math.sin(angle)).toFixed(1)}`;
  });

const polygon = (points: readonly string[]): string => `M${points.join('L')}z`;

/** A rosette, as on a certificate. */
const seal = (): string => {
  const [first, ...rest] = around(14, 40);
  return `M${first}${[...rest, first].map((point) => `A9.6 9.6 0 0 1 ${point}`).join('')}z`;
};

const octagon = polygon(around(8, 43, 0.5));
const triangle = polygon(['48 11', '90 83', '6 83']);
const diamond = polygon(around(4, 43));
const square = 'M20 8h56a12 12 0 0 1 12 12v56a12 12 0 0 1-12 12H20A12 12 0 0 1 8 76V20A12 12 0 0 1 20 8z';
const disc = 'M48 6a42 42 0 1 1 0 84a42 42 0 1 1 0-84z';

const check = 'M31 49l12 12 23-25';
const cross = 'M34 34l28 28M62 34L34 62';
const exclamation = 'M48 38v21M48 71v.1';
const uprightExclamation = 'M48 27v26M48 68v.1';
const question = 'M38.5 39a9.8 9.8 0 1 1 14.5 8.6c-3.5 2-5 3.9-5 8M48 67v.1';
/** An arrow that turns round. */
const turn = 'M38 66h14a14 14 0 0 0 0-28H30M40 27L29 38l11 11';
const hands = 'M48 28v21l13 8';

/** @param open draws the form as an outline, with the mark in its colour */
const draw = (form: string, mark: string, open = false) =>
  raw(
    `<svg class="emblem${open ? ' open' : ''}" viewBox="0 0 96 96" aria-hidden="true"><path class="form" d="${form}"/><path class="mark" d="${mark}"/></svg>`,
  );

export const emblems = {
  authentic: draw(seal(), check),
  scannedBefore: draw(triangle, exclamation),
  // A circle that returns to its beginning, without the check of a first scan.
  sameDevice: draw('M77 28A36 36 0 1 0 84 48M84 14v17H67', hands, true),
  notGenuine: draw(octagon, cross),
  notKnown: draw(diamond, question),
  recalled: draw(octagon, uprightExclamation),
  stolen: draw(disc, 'M22 22l52 52'),
  returned: draw(square, turn),
  unavailable: draw(disc, hands, true),
  rateLimited: draw(disc, hands, true),
  // The corners of a viewfinder.
  neutral: draw(
    'M10 32V20a10 10 0 0 1 10-10h12M64 10h12a10 10 0 0 1 10 10v12M86 64v12a10 10 0 0 1-10 10H64M32 86H20a10 10 0 0 1-10-10V64',
    check,
    true,
  ),
} satisfies Record<VerificationState, ReturnType<typeof draw>>;
