/** The pictures of the example pages. */

import { baguette, bun, croissant, sourdough, tart, wheat } from './bread.ts';
import { between, chanceOf, circle, place, range, scatter } from './brush.ts';
import { coffee, eggsInThePan, flatbread, lemonade, mussels, plate, salad, soup } from './dishes.ts';
import { canvas } from './light.ts';

const width = 1600;
const height = 900;

const planks = (colours: readonly string[]): string =>
  range(5)
    .map(
      (n) =>
        `<g transform="translate(0 ${n * 180})"><rect width="${width}" height="180" fill="${colours[n % colours.length]}"/><rect y="176" width="${width}" height="4" fill="#120904" opacity="0.55"/></g>`,
    )
    .join('');

const table = (colours: readonly string[]): string => `<g filter="url(#wood)">${planks(colours)}</g>`;

const light = (w: number, h: number): string => `<rect width="${w}" height="${h}" fill="url(#daylight)"/>`;

const board = (): string =>
  `<g filter="url(#shadow)"><g filter="url(#wood)"><rect x="-290" y="-175" width="580" height="350" rx="34" fill="#c58e54"/></g></g>`;

const cloth = (fill: string): string =>
  `<g filter="url(#shadow)"><g filter="url(#cloth)"><path d="M-250 -180L230 -196L262 178L-238 200Z" fill="${fill}"/></g></g>`;

/** The counter of a bakery in the morning. */
const bakery = (): string => {
  const chance = chanceOf(7);
  const crumbs = scatter(chance, 90, 620, 14).map((point) =>
    place(circle(between(chance, 1, 3.4), '#f6dfb4', 'opacity="0.7"'), {
      x: 800 + point.x,
      y: 480 + point.y * 0.6,
    }),
  );
  return canvas(
    width,
    height,
    `${table(['#7a4b2a', '#6d4124', '#82512e', '#734627'])}
     ${place(cloth('#e9e1d0'), { x: 1360, y: 520 }, 1.2, 8)}${place(board(), { x: 800, y: 400 }, 1.12, -5)}
     ${place(wheat(), { x: 1050, y: 80 }, 1.4, 14)}${place(wheat(), { x: 1075, y: 125 }, 1.3, 30)}
     ${place(sourdough(chance), { x: 770, y: 395 }, 1.9, 10)}${place(sourdough(chance), { x: 60, y: 90 }, 1.7, 70)}
     ${place(baguette(chance), { x: 330, y: 470 }, 1.45, -62)}${place(baguette(chance), { x: 170, y: 560 }, 1.45, -54)}${place(baguette(chance), { x: 860, y: 775 }, 1.5, -7)}
     ${place(croissant(), { x: 1240, y: 420 }, 1.6, -20)}${place(croissant(), { x: 1490, y: 380 }, 1.65, 38)}${place(croissant(), { x: 1420, y: 640 }, 1.65, 160)}
     ${place(bun(chance), { x: 1050, y: 330 }, 1.05)}${place(bun(chance), { x: 470, y: 130 }, 1.2, 40)}${place(bun(chance), { x: 600, y: 70 }, 0.95, 90)}
     ${place(tart(chance), { x: 1500, y: 70 }, 1.35)}${crumbs.join('')}${light(width, height)}`,
  );
};

/** A table that is laid for many. */
const longTable = (): string => {
  const chance = chanceOf(20);
  const bare = plate('china', 92);
  return canvas(
    width,
    height,
    `${table(['#33474a', '#2d4043', '#384d50', '#304447'])}
     ${place(cloth('#d8cdb8'), { x: 300, y: 560 }, 1.3, -12)}
     ${place(flatbread(chance), { x: 330, y: 520 }, 2.0)}${place(salad(chance), { x: 800, y: 350 }, 1.75, 20)}
     ${place(eggsInThePan(chance), { x: 1230, y: 600 }, 1.85, 32)}${place(soup(chance), { x: 760, y: 790 }, 1.45)}
     ${place(mussels(chance), { x: 1240, y: 130 }, 1.5, 12)}${place(coffee(), { x: 1530, y: 330 }, 0.95, 20)}
     ${place(tart(chance), { x: 70, y: 130 }, 1.7)}${place(lemonade(chance), { x: 470, y: 130 }, 0.95)}
     ${place(bare, { x: 1560, y: 860 }, 1.25)}${place(croissant(), { x: 1550, y: 850 }, 1.2, 60)}${light(width, height)}`,
  );
};

const side = 480;

/** One thing on a table. */
const still = (drawing: string, colour: string, scale: number): string =>
  canvas(
    side,
    side,
    `<g filter="url(#wood)"><rect width="${side}" height="${side}" fill="${colour}"/></g>${place(drawing, { x: side / 2, y: side / 2 }, scale)}${light(side, side)}`,
  );

/** The sign of the house: an ear of wheat under a rising sun. */
const sign = (): string => {
  const kernel = '<path d="M0 0C-9 -10 -9 -24 0 -34C9 -24 9 -10 0 0Z" fill="#f7ead2"/>';
  const pairs = range(4).map(
    (n) => place(kernel, { x: 0, y: 70 - n * 34 }, 1, -38) + place(kernel, { x: 0, y: 70 - n * 34 }, 1, 38),
  );
  const rays = range(11).map((n) =>
    place(
      '<path d="M0 -128L0 -150" stroke="#e6a94a" stroke-width="10" stroke-linecap="round"/>',
      { x: 0, y: 0 },
      1,
      -90 + n * 18,
    ),
  );
  return canvas(
    side,
    side,
    `<rect width="${side}" height="${side}" fill="#7c3418"/>
     <g transform="translate(240 262) scale(1.12)"><path d="M-112 0A112 112 0 0 1 112 0" fill="none" stroke="#e6a94a" stroke-width="10" stroke-linecap="round"/>${rays.join('')}
     <path d="M0 138L0 -40" stroke="#f7ead2" stroke-width="9" stroke-linecap="round"/>${pairs.join('')}${place(kernel, { x: 0, y: -40 }, 1.15)}</g>`,
  );
};

/** The drawings by the names of their pictures. */
export const scenes: Readonly<Record<string, () => string>> = {
  bakery,
  'long-table': longTable,
  sign,
  'eggs-in-the-pan': () => still(eggsInThePan(chanceOf(3)), '#9a7b58', 1.55),
  croissant: () => still(croissant(), '#e3d3ba', 2.0),
  'pumpkin-soup': () => still(soup(chanceOf(5)), '#8a6b4d', 1.72),
  'garden-salad': () => still(salad(chanceOf(12)), '#40565a', 1.72),
  mussels: () => still(mussels(chanceOf(9)), '#8c6f52', 1.72),
  flatbread: () => still(flatbread(chanceOf(14)), '#4a3a30', 1.75),
  'berry-tart': () => still(tart(chanceOf(2)), '#dccbb0', 2.2),
  coffee: () => still(coffee(), '#6d4b33', 1.68),
  lemonade: () => still(lemonade(chanceOf(8)), '#c9b08a', 1.9),
};
