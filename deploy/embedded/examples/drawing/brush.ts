/** Strokes of a drawing as SVG markup: chance that repeats itself, soft outlines, things scattered on a disc. */

export type Chance = () => number;

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export const chanceOf = (seed: number): Chance => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export interface Point {
  x: number;
  y: number;
}

export const between = (chance: Chance, low: number, high: number): number => low + chance() * (high - low);

export const oneOf = <T>(chance: Chance, choices: readonly T[]): T =>
  choices[Math.floor(chance() * choices.length)]!;

export const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

const short = (value: number): string => String(Math.round(value * 10) / 10);

export const at = (radius: number, angle: number): Point => ({
  x: radius * Math.cos(angle),
  y: radius * Math.sin(angle),
});

/** A closed curve through the points (Catmull-Rom). */
export const closedCurve = (points: readonly Point[]): string => {
  const point = (n: number): Point => points[(n + points.length) % points.length]!;
  const pieces = points.map((_, n) => {
    const [before, from, to, after] = [point(n - 1), point(n), point(n + 1), point(n + 2)];
    const controls = [
      { x: from.x + (to.x - before.x) / 6, y: from.y + (to.y - before.y) / 6 },
      { x: to.x - (after.x - from.x) / 6, y: to.y - (after.y - from.y) / 6 },
      to,
    ];
    return `C${controls.map(({ x, y }) => `${short(x)} ${short(y)}`).join(' ')}`;
  });
  const { x, y } = point(0);
  return `M${short(x)} ${short(y)}${pieces.join('')}Z`;
};

/** An outline that is nearly an ellipse. @param wobble the share of the radius that it may lack */
export const blob = (chance: Chance, width: number, height: number, wobble: number, corners = 9): string =>
  closedCurve(
    range(corners).map((n) => {
      const { x, y } = at(1 - chance() * wobble, (n / corners) * 2 * Math.PI);
      return { x: (x * width) / 2, y: (y * height) / 2 };
    }),
  );

/** Points on a disc, none nearer to another than `apart`. May be fewer than asked for. */
export const scatter = (chance: Chance, count: number, radius: number, apart: number): Point[] => {
  const points: Point[] = [];
  for (let attempt = 0; attempt < count * 30 && points.length < count; attempt += 1) {
    const next = at(radius * Math.sqrt(chance()), chance() * 2 * Math.PI);
    if (points.every(({ x, y }) => Math.hypot(x - next.x, y - next.y) >= apart)) points.push(next);
  }
  return points;
};

/** Puts a drawing elsewhere. @param angle in degrees */
export const place = (drawing: string, { x, y }: Point, scale = 1, angle = 0): string =>
  `<g transform="translate(${short(x)} ${short(y)}) rotate(${short(angle)}) scale(${scale.toFixed(3)})">${drawing}</g>`;

export const circle = (radius: number, fill: string, rest = ''): string =>
  `<circle r="${short(radius)}" fill="${fill}" ${rest}/>`;

export const shape = (path: string, fill: string, rest = ''): string =>
  `<path d="${path}" fill="${fill}" ${rest}/>`;

/** A leaf from the origin to the right, with its rib. */
export const leaf = (length: number, width: number, fill: string, rib: string): string =>
  shape(
    `M0 0C${short(length * 0.25)} ${short(-width)} ${short(length * 0.75)} ${short(-width * 0.8)} ${short(length)} 0C${short(length * 0.75)} ${short(width * 0.8)} ${short(length * 0.25)} ${short(width)} 0 0Z`,
    fill,
  ) +
  `<path d="M${short(length * 0.06)} 0L${short(length * 0.9)} 0" stroke="${rib}" stroke-width="${short(width * 0.1)}" fill="none" stroke-linecap="round"/>`;
