/** Dishes from above, about 120 in radius around the origin. */
import {
  at,
  between,
  blob,
  type Chance,
  circle,
  leaf,
  oneOf,
  type Point,
  place,
  range,
  scatter,
  shape,
} from './brush.ts';
import { greens } from './light.ts';

/** A plate or bowl. @param glaze `china`, `stoneware` or `iron` */
export const plate = (glaze: string, wellRadius: number): string =>
  `<g filter="url(#shadow)">${circle(120, `url(#${glaze})`)}</g>
   ${circle(118, 'none', 'stroke="#fff" stroke-opacity="0.35" stroke-width="2"')}
   ${circle(wellRadius + 3, '#000', 'opacity="0.16" filter="url(#soft)"')}${circle(wellRadius, `url(#${glaze})`)}`;

const sprig = (chance: Chance): string =>
  range(5)
    .map((n) =>
      place(
        leaf(13, 5, oneOf(chance, greens), '#2c4d22'),
        { x: 0, y: 0 },
        1,
        n * 62 + between(chance, -18, 18),
      ),
    )
    .join('');

const strewn = (chance: Chance, count: number, radius: number, draw: () => string, apart = 9): string =>
  scatter(chance, count, radius, apart)
    .map((point) => place(draw(), point, between(chance, 0.75, 1.1), chance() * 360))
    .join('');

const lemonWedge = `<g filter="url(#near)"><path d="M-30 0A30 30 0 0 1 30 0Z" fill="#f2c531"/><path d="M-26 0A26 26 0 0 1 26 0Z" fill="#fdf3c0"/>
  <path d="M-22 -1.5A22 22 0 0 1 22 -1.5Z" fill="#f7dd5f"/><path d="M0 -1L0 -22M0 -1L-16 -15M0 -1L16 -15" stroke="#fdf6d2" stroke-width="2.4"/></g>`;

/** Pumpkin soup with cream, seeds and oil. */
export const soup = (chance: Chance): string => {
  const swirl = 'M-46 12C-40 -42 36 -50 46 -4C52 34 -18 42 -22 8C-24 -16 16 -22 20 -2';
  return `${plate('stoneware', 92)}<g filter="url(#sauce)">${circle(88, '#d9772a')}</g>${circle(88, 'none', 'stroke="#a9531a" stroke-width="3" opacity="0.6"')}
    <path d="${swirl}" fill="none" stroke="#fbe6c4" stroke-width="9" stroke-linecap="round" opacity="0.5" filter="url(#soft)"/>
    <path d="${swirl}" fill="none" stroke="#fff4df" stroke-width="5" stroke-linecap="round" opacity="0.92"/>
    ${strewn(chance, 18, 74, () => circle(between(chance, 2, 5), '#8fae2f', 'opacity="0.55"'))}
    ${strewn(chance, 16, 56, () => '<g filter="url(#near)"><ellipse rx="7" ry="3.8" fill="#7f9450" stroke="#4f6430" stroke-width="1"/></g>', 16)}
    ${place(sprig(chance), { x: 8, y: -6 }, 1.5)}`;
};

const egg = (chance: Chance): string =>
  `<g filter="url(#near)">${shape(blob(chance, 66, 60, 0.2), '#fffaf0')}</g>${place(`${circle(14, 'url(#yolk)')}<ellipse cx="-5" cy="-5" rx="4" ry="2.6" fill="#fff" opacity="0.85"/>`, { x: between(chance, -4, 4), y: between(chance, -4, 4) })}`;

const feta = (chance: Chance): string =>
  `<g filter="url(#near)">${shape(blob(chance, 15, 13, 0.35, 6), '#fdf8ec')}</g>`;

/** Eggs in tomatoes and peppers, in the pan. */
export const eggsInThePan = (chance: Chance): string =>
  `<g filter="url(#shadow)"><rect x="90" y="-15" width="108" height="30" rx="15" fill="#262322"/>${circle(116, 'url(#iron)')}</g>
   ${place(circle(6.5, '#6a625d'), { x: 180, y: 0 })}${circle(106, '#171514')}<g filter="url(#sauce)">${circle(102, '#b8331b')}</g>
   ${strewn(chance, 22, 92, () => shape(blob(chance, 26, 17, 0.35, 7), oneOf(chance, ['#d1492a', '#e07a35', '#a52a17', '#c43c20']), 'opacity="0.75"'), 12)}
   ${strewn(chance, 17, 92, () => feta(chance), 24)}${strewn(chance, 13, 90, () => sprig(chance), 28)}
   ${[
     { x: -38, y: -34 },
     { x: 42, y: -24 },
     { x: -6, y: 45 },
   ]
     .map((point) => place(egg(chance), point))
     .join('')}
   ${strewn(chance, 60, 95, () => circle(1.2, '#2b1a10', 'opacity="0.7"'), 4)}`;

const salads = ['#6f9a3e', '#8fb552', '#4c7a34', '#a7c46b', '#5f2f45'] as const;
const radish = `<g filter="url(#near)">${circle(14, '#c92a55')}${circle(12, '#fff5f5')}${circle(4, '#fbe3e6')}</g>`;
const halfTomato = `<g filter="url(#near)">${circle(16, 'url(#tomato)')}${circle(12.5, '#ee7456')}${range(4)
  .map((n) => place('<ellipse rx="4.6" ry="3" fill="#f7b14a"/>', at(7, n * 1.57 + 0.6), 1, n * 90 + 34))
  .join('')}</g>`;

/** Leaves, tomatoes, radishes and soft cheese. */
export const salad = (chance: Chance): string => {
  const leaves = range(54).map((n) => {
    const point = at(88 - n * 1.7, n * 2.4);
    return place(
      `<g filter="url(#near)">${leaf(between(chance, 46, 66), between(chance, 15, 22), oneOf(chance, salads), '#dbe7b4')}</g>`,
      { x: point.x * 0.62 - 10, y: point.y * 0.62 },
      1,
      n * 137.5 + between(chance, -30, 30),
    );
  });
  const topping = (drawn: string, count: number, apart: number): string =>
    strewn(chance, count, 66, () => drawn, apart);
  return `${plate('china', 96)}${leaves.join('')}${topping(radish, 6, 38)}${topping(halfTomato, 6, 42)}
    ${strewn(chance, 10, 66, () => feta(chance), 24)}${strewn(chance, 40, 76, () => '<ellipse rx="2.6" ry="1.5" fill="#e7cf9a"/>', 7)}`;
};

const mussel = `<g filter="url(#near)"><path d="M-36 0C-30 -20 10 -24 34 -6C40 0 38 6 30 8C6 18 -28 14 -36 0Z" fill="#1f2735"/><path d="M-30 0C-24 -13 8 -17 28 -4C32 0 30 4 24 5C4 12 -22 10 -30 0Z" fill="#8b93a8"/>
  <path d="M-20 0C-12 -11 10 -10 20 -1C18 8 -10 9 -20 0Z" fill="#e8924a"/><path d="M-12 -2C-4 -7 6 -6 13 -2" stroke="#f9c389" stroke-width="2.5" fill="none" stroke-linecap="round"/></g>`;

/** Mussels in cider. */
export const mussels = (chance: Chance): string =>
  `${plate('stoneware', 96)}<g filter="url(#sauce)">${circle(92, '#d9c48d')}</g>
   ${scatter(chance, 17, 66, 27)
     .map((point) => place(mussel, point, between(chance, 0.85, 1.05), chance() * 360))
     .join('')}
   ${strewn(chance, 20, 78, () => sprig(chance), 14)}${place(lemonWedge, { x: 70, y: 66 }, 1.15, -38)}`;

/** A flatbread with courgettes, tomatoes and ricotta. */
export const flatbread = (chance: Chance): string => {
  const courgette = `<g filter="url(#near)">${circle(15, '#4d7a2c')}${circle(12.6, '#d8e3a0')}${circle(6, '#e9edc2')}</g>`;
  const ricotta = (): string =>
    `<g filter="url(#near)">${shape(blob(chance, 34, 28, 0.3, 7), '#fffaf0')}</g>`;
  return `<g filter="url(#shadow)"><g filter="url(#crust)">${shape(blob(chance, 238, 230, 0.05, 12), 'url(#flat)')}</g></g>
    <g filter="url(#sauce)">${shape(blob(chance, 196, 186, 0.08, 11), '#cf5a2c')}</g>
    ${strewn(chance, 13, 70, ricotta, 34)}${strewn(chance, 10, 76, () => courgette, 36)}${strewn(chance, 9, 72, () => halfTomato, 40)}
    ${strewn(chance, 12, 76, () => leaf(28, 11, oneOf(chance, greens), '#2c4d22'), 30)}
    ${strewn(chance, 16, 108, () => circle(between(chance, 3, 7), '#5b2c10', 'opacity="0.45" filter="url(#soft)"'), 20)}`;
};

/** A cup on its saucer, with a rosette of milk. */
export const coffee = (): string => {
  const rosette = range(5).map((n) => {
    const width = 40 - n * 6;
    return `<path d="M${-width} ${22 - n * 14}C${-width * 0.5} ${38 - n * 14} ${width * 0.5} ${38 - n * 14} ${width} ${22 - n * 14}" stroke="#fbeed8" stroke-width="${7.5 - n * 0.6}" fill="none" stroke-linecap="round"/>`;
  });
  return `<g filter="url(#shadow)">${circle(120, 'url(#china)')}</g>${circle(84, '#000', 'opacity="0.14" filter="url(#softer)"')}
    <g filter="url(#near)"><path d="M66 -18h36a18 18 0 0 1 0 36h-36z" fill="#efe6d6"/><path d="M74 -7h26a7 7 0 0 1 0 14h-26z" fill="#cfc3b0"/></g>
    <g filter="url(#shadow)">${circle(78, 'url(#china)')}</g>${circle(70, '#4a2511')}${circle(66, '#8d5426')}${circle(58, '#a9692f', 'filter="url(#soft)"')}
    ${rosette.join('')}<path d="M0 42C-6 10 4 -20 0 -46" stroke="#a9692f" stroke-width="3" fill="none"/>
    ${place('<ellipse rx="10" ry="8" fill="#fbeed8"/>', { x: 0, y: -44 })}`;
};

/** Lemonade with ice, mint and a slice of lemon, in a glass. */
export const lemonade = (chance: Chance): string => {
  const slice = `${circle(40, '#f2c531')}${circle(36, '#fdf6d2')}${range(8)
    .map((n) => place('<path d="M6 -2L31 -10Q35 0 31 10L6 2Z" fill="#f8df69"/>', { x: 0, y: 0 }, 1, n * 45))
    .join('')}`;
  const ice = (): string =>
    '<rect x="-18" y="-18" width="36" height="36" rx="7" fill="#fff" fill-opacity="0.42" stroke="#fff" stroke-opacity="0.75" stroke-width="2"/>';
  const cubes: [Point, number][] = [
    [{ x: -42, y: 22 }, 20],
    [{ x: 6, y: 50 }, 58],
    [{ x: 46, y: -34 }, 12],
  ];
  return `<g filter="url(#shadow)">${circle(104, '#e9eef0')}</g>${circle(98, '#cfd9da')}<g filter="url(#sauce)">${circle(92, '#f4e7a1')}</g>
    ${circle(92, 'none', 'stroke="#c8b65c" stroke-width="4" opacity="0.6"')}${cubes.map(([point, angle]) => place(ice(), point, 1.1, angle)).join('')}
    ${place(`<g filter="url(#near)">${slice}</g>`, { x: -16, y: -26 }, 1.1, 12)}${place(sprig(chance), { x: 44, y: 32 }, 2.3)}
    <path d="M-84 -44A95 95 0 0 1 -30 -90" stroke="#fff" stroke-width="6" stroke-opacity="0.85" fill="none" stroke-linecap="round"/>`;
};
