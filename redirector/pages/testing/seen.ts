/** The appearance of a page: the pixels of a screenshot, and its printed sheets. */
import type { Page as Tab } from 'playwright-core';
import sharp from 'sharp';
import { contrastOf } from '#shared/colors.ts';

type Area = NonNullable<NonNullable<Parameters<Tab['screenshot']>[0]>['clip']>;

const hex = (bytes: readonly number[]): string =>
  `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** The greatest contrast of any pixel of an area with its upper left one: 1 if all have one colour. */
export const contrastSeen = async (tab: Tab, clip: Area): Promise<number> => {
  const { data, info } = await sharp(await tab.screenshot({ clip, animations: 'disabled' }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colors = new Set<string>();
  for (let at = 0; at < data.length; at += info.channels) colors.add(hex([...data.subarray(at, at + 3)]));
  const [corner, ...others] = colors;
  const distances = others.map((other) => contrastOf(corner!, other));
  return Math.max(1, ...distances.map((contrast) => Math.max(contrast, 1 / contrast)));
};

/** How many sheets of paper a page takes. */
export const sheetsOf = async (tab: Tab): Promise<number> =>
  (await tab.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
