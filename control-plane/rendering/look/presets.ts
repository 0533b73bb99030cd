/**
 * The presets as styles. All are dark on light. Across a room each is recognisable by its outline, its colours, its
 * eyes and its modules.
 */
import type { presets, Style } from '#schemas/api/style.ts';

type Preset = (typeof presets)[number];
type Color = NonNullable<NonNullable<Style['dotsOptions']>['color']>;

/** A gradient of evenly spaced colours. @param rotation in radians; 0 is left to right */
const linear = (rotation: number, ...colors: string[]): Color => ({
  type: 'linear',
  rotation,
  colorStops: colors.map((color, index) => ({ offset: index / (colors.length - 1), color })),
});

const radial = (...colors: string[]): Color => ({
  type: 'radial',
  colorStops: colors.map((color, index) => ({ offset: index / (colors.length - 1), color })),
});

const down = Math.PI / 2;

export const presetStyles: Record<Preset, Style> = {
  classic: {
    dotsOptions: { type: 'square', color: '#000000' },
    backgroundOptions: { color: '#ffffff' },
  },
  soft: {
    dotsOptions: { type: 'extra-rounded', color: '#0f5138' },
    cornersSquareOptions: { type: 'extra-rounded' },
    cornersDotOptions: { type: 'extra-rounded' },
    backgroundOptions: { color: '#c9f2d0', round: 0.3 },
  },
  dots: {
    shape: 'circle',
    dotsOptions: { type: 'dots', color: '#18181b' },
    // Both of one colour: with a black ring around it ZXing loses the orange middle in 6 of 10 spoiled small pictures.
    cornersSquareOptions: { type: 'dot', color: '#c2410c' },
    cornersDotOptions: { type: 'dot', color: '#c2410c' },
    backgroundOptions: { color: '#ffffff', round: 1 },
  },
  ocean: {
    dotsOptions: { type: 'classy-rounded', color: linear(down, '#0e7490', '#0c4a6e', '#172554') },
    cornersSquareOptions: { type: 'classy-rounded', color: '#0c4a6e' },
    cornersDotOptions: { type: 'classy-rounded', color: '#0e7490' },
    backgroundOptions: { color: linear(down, '#dff8ff', '#79d3f4') },
  },
  sunset: {
    dotsOptions: { type: 'rounded', color: linear(down, '#86198f', '#be123c', '#9a3412') },
    cornersSquareOptions: { type: 'extra-rounded', color: '#9d174d' },
    cornersDotOptions: { type: 'dot', color: '#c2410c' },
    backgroundOptions: { color: linear(down, '#ffe4ec', '#ffd9a0') },
  },
  'contrast-eyes': {
    dotsOptions: { type: 'square', color: '#111827' },
    cornersSquareOptions: { type: 'extra-rounded', color: '#d01540' },
    cornersDotOptions: { type: 'dot', color: '#d01540' },
    backgroundOptions: { color: '#ffffff' },
  },
  menu: {
    dotsOptions: { type: 'classy', color: '#5b1220' },
    cornersSquareOptions: { type: 'classy', color: '#7f1d1d' },
    cornersDotOptions: { type: 'classy', color: '#7f1d1d' },
    backgroundOptions: { color: '#fff8e7' },
    frame: { id: 'ribbon', text: 'Menu', font: 'serif', color: '#7f1d1d' },
  },
  bizcard: {
    dotsOptions: { type: 'square', color: '#0f2a4a' },
    cornersSquareOptions: { type: 'square', color: '#0f2a4a' },
    cornersDotOptions: { type: 'dot', color: '#2563a8' },
    backgroundOptions: { color: '#eef3f8' },
    frame: { id: 'border', text: 'Save contact', font: 'sans', color: '#0f2a4a' },
  },
  wifi: {
    dotsOptions: { type: 'rounded', color: radial('#2563eb', '#1e3a8a') },
    cornersSquareOptions: { type: 'extra-rounded', color: '#1d4ed8' },
    cornersDotOptions: { type: 'extra-rounded', color: '#1d4ed8' },
    backgroundOptions: { color: '#ffffff' },
    frame: { id: 'bubble', text: 'Free Wi-Fi', font: 'rounded', color: '#1d4ed8' },
  },
  event: {
    dotsOptions: { type: 'dots', color: linear(Math.PI / 4, '#3b0f82', '#8a1596') },
    cornersSquareOptions: { type: 'extra-rounded', color: '#4c1d95' },
    cornersDotOptions: { type: 'square', color: '#a21caf' },
    backgroundOptions: { color: linear(Math.PI / 4, '#ede9fe', '#fcd9ec') },
    frame: { id: 'ticket', text: 'Get tickets', font: 'display', color: '#4c1d95' },
  },
  boutique: {
    dotsOptions: { type: 'classy', color: '#1c1917' },
    cornersSquareOptions: { type: 'classy-rounded', color: '#1c1917' },
    cornersDotOptions: { type: 'dot', color: '#7d5814' },
    backgroundOptions: { color: '#fdfbf7' },
    frame: { id: 'polaroid', text: 'Shop the look', font: 'serif', color: '#7d5814', textColor: '#1c1917' },
  },
  cafe: {
    dotsOptions: { type: 'extra-rounded', color: '#3b2212' },
    cornersSquareOptions: { type: 'rounded', color: '#3b2212' },
    cornersDotOptions: { type: 'rounded', color: '#7c4a1e' },
    backgroundOptions: { color: '#f1e0c8' },
    frame: { id: 'rounded', text: 'Order here', font: 'rounded', color: '#5a3418' },
  },
};
