/** Bread and pastry from above, about 100 in radius around the origin. */
import {
  at,
  between,
  blob,
  type Chance,
  circle,
  closedCurve,
  place,
  range,
  scatter,
  shape,
} from './brush.ts';

const cut = (length: number, width: number): string => {
  const opened = `M${-length / 2} 0C${-length / 4} ${-width} ${length / 4} ${-width} ${length / 2} 0C${length / 4} ${width * 0.7} ${-length / 4} ${width * 0.7} ${-length / 2} 0Z`;
  return (
    shape(opened, '#f1d5a2', 'stroke="#5e2f12" stroke-width="2"') +
    `<path d="M${-length / 2 + 4} -1C${-length / 4} ${-width * 0.95} ${length / 4} ${-width * 0.95} ${length / 2 - 4} -1" fill="none" stroke="#3d1c0a" stroke-width="${(width * 0.3).toFixed(1)}" stroke-linecap="round" opacity="0.75"/>`
  );
};

/** A cut that follows the loaf's edge like an ear of wheat. */
const wheatCuts = (): string =>
  cut(150, 11) +
  [-48, -20, 8, 36]
    .map((x) => place(cut(44, 6), { x, y: -25 }, 1, -52) + place(cut(44, 6), { x, y: 25 }, 1, 52))
    .join('');

/** A round loaf, floured and scored. */
export const sourdough = (chance: Chance): string => {
  const outline = blob(chance, 206, 198, 0.05, 10);
  return `<g filter="url(#shadow)"><g filter="url(#crust)">${shape(outline, 'url(#loaf)')}</g></g>
    <g opacity="0.85"><g filter="url(#flour)">${shape(blob(chance, 132, 124, 0.12), '#fff')}</g></g>
    <g filter="url(#crust)">${place(wheatCuts(), { x: 0, y: 0 }, 1, -38)}</g>
    <ellipse cx="-30" cy="-38" rx="46" ry="30" fill="#fff1d4" opacity="0.2" filter="url(#softer)"/>`;
};

export const baguette = (chance: Chance): string => {
  const outline = closedCurve([
    { x: -205, y: 0 },
    { x: -185, y: -20 },
    { x: -80, y: -33 },
    { x: 80, y: -33 },
    { x: 185, y: -20 },
    { x: 205, y: 0 },
    { x: 185, y: 20 },
    { x: 80, y: 32 },
    { x: -80, y: 33 },
    { x: -185, y: 20 },
  ]);
  const cuts = range(5).map((n) =>
    place(cut(78, 9), { x: -136 + n * 68, y: between(chance, -3, 3) }, 1, -24),
  );
  return `<g filter="url(#shadow)"><g filter="url(#crust)">${shape(outline, 'url(#golden)')}</g></g>
    <g opacity="0.5"><g filter="url(#flour)"><ellipse rx="170" ry="17" fill="#fff"/></g></g><g filter="url(#crust)">${cuts.join('')}</g>`;
};

const croissantSegment = (width: number, height: number): string =>
  `<ellipse rx="${width.toFixed(1)}" ry="${height.toFixed(1)}" fill="url(#golden)" stroke="#7a3c10" stroke-width="1.6" stroke-opacity="0.7"/>
   <path d="M${(-width * 0.35).toFixed(1)} ${(-height * 0.75).toFixed(1)}Q${(-width * 0.7).toFixed(1)} 0 ${(-width * 0.35).toFixed(1)} ${(height * 0.75).toFixed(1)}" stroke="#ffe2a6" stroke-width="3" stroke-opacity="0.6" fill="none" stroke-linecap="round"/>
   <path d="M${(width * 0.3).toFixed(1)} ${(-height * 0.8).toFixed(1)}Q${(width * 0.05).toFixed(1)} 0 ${(width * 0.3).toFixed(1)} ${(height * 0.8).toFixed(1)}" stroke="#8a4614" stroke-width="2" stroke-opacity="0.55" fill="none" stroke-linecap="round"/>`;

/** Segments on a bow, the middle ones on top. */
export const croissant = (): string => {
  const segments = range(9).map((n) => n - 4);
  segments.sort((one, other) => Math.abs(other) - Math.abs(one));
  const drawn = segments.map((n) => {
    const angle = (-90 + n * 23) * (Math.PI / 180);
    const size = 1 - Math.abs(n) * 0.155;
    const { x, y } = at(62, angle);
    return place(croissantSegment(21 - Math.abs(n), 41 * size), { x, y: y + 34 }, 1, n * 23);
  });
  return `<g filter="url(#shadow)"><g filter="url(#crust)">${drawn.join('')}</g></g>`;
};

/** A glazed bun with seeds. */
export const bun = (chance: Chance): string => {
  const seeds = scatter(chance, 46, 46, 7).map((point) =>
    place(
      '<ellipse rx="4" ry="2.1" fill="#fbe9c4" stroke="#a66a2a" stroke-width="0.6"/>',
      point,
      1,
      chance() * 180,
    ),
  );
  return `<g filter="url(#shadow)">${shape(blob(chance, 136, 132, 0.03), 'url(#golden)')}</g>
    <ellipse cx="-22" cy="-26" rx="24" ry="15" fill="#fff3d2" opacity="0.65" filter="url(#soft)"/>${seeds.join('')}`;
};

/** A tart with a crimped rim, cream, and berries in rings. */
export const tart = (chance: Chance): string => {
  const rim = range(40).map((n) => {
    const { x, y } = at(88, (n / 40) * 2 * Math.PI);
    return place(
      '<ellipse rx="9.5" ry="6.4" fill="url(#golden)" stroke="#8c4a17" stroke-width="0.8"/>',
      { x, y },
      1,
      (n / 40) * 360,
    );
  });
  const berry = (fill: string, radius: number): string =>
    `<g filter="url(#near)">${circle(radius, `url(#${fill})`)}</g><ellipse cx="${-radius * 0.34}" cy="${-radius * 0.4}" rx="${radius * 0.24}" ry="${radius * 0.16}" fill="#fff" opacity="0.75"/>`;
  const ring = (radius: number, count: number, fill: string, size: number): string =>
    range(count)
      .map((n) =>
        place(berry(fill, size + between(chance, -0.7, 0.7)), at(radius, (n / count) * 2 * Math.PI + radius)),
      )
      .join('');
  return `<g filter="url(#shadow)">${circle(92, '#c07a30')}</g><g filter="url(#crust)">${rim.join('')}</g>
    ${circle(79, '#fbedc8')}${circle(79, 'none', 'stroke="#d8a861" stroke-width="4" opacity="0.7"')}
    ${ring(66, 19, 'berry', 10.5)}${ring(45, 15, 'bilberry', 8.6)}${ring(26, 8, 'berry', 10)}${berry('bilberry', 10)}`;
};

/** An ear of wheat that points to the right. */
export const wheat = (): string => {
  const kernel = '<ellipse rx="11" ry="4.6" fill="#dcae5c" stroke="#a9782d" stroke-width="1"/>';
  const pairs = range(7).map(
    (n) =>
      place(kernel, { x: n * 13, y: -6 }, 1, -24) +
      place(kernel, { x: n * 13, y: 6 }, 1, 24) +
      `<path d="M${n * 13 + 9} -10l30 -15M${n * 13 + 9} 10l30 15" stroke="#c9994a" stroke-width="0.9"/>`,
  );
  return `<g filter="url(#near)"><path d="M-150 4C-90 -6 -40 2 0 0" stroke="#b98f45" stroke-width="3" fill="none"/>${pairs.join('')}${place(kernel, { x: 96, y: 0 })}</g>`;
};
