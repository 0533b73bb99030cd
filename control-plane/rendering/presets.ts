/** The presets, in the keys of the API. All dark on light, with logos in mind: none hides what a level gives back. */
import type { presets, Style } from '#schemas/api/style.ts';

type Preset = (typeof presets)[number];
type Color = NonNullable<NonNullable<Style['dotsOptions']>['color']>;

/** Colours at even distances. @param rotation in radians; 0 is left to right */
const linear = (rotation: number, ...colors: string[]): Color => ({
  type: 'linear',
  rotation,
  colorStops: colors.map((color, index) => ({ offset: index / (colors.length - 1), color })),
});

const radial = (...colors: string[]): Color => ({
  type: 'radial',
  colorStops: colors.map((color, index) => ({ offset: index / (colors.length - 1), color })),
});

const diagonal = Math.PI / 4;

export const presetStyles: Record<Preset, Style> = {
  classic: {
    dotsOptions: { type: 'square', color: '#000000' },
    backgroundOptions: { color: '#ffffff' },
  },
  soft: {
    dotsOptions: { type: 'extra-rounded', color: '#334155' },
    cornersSquareOptions: { type: 'extra-rounded', color: '#475569' },
    cornersDotOptions: { type: 'dot', color: '#334155' },
    backgroundOptions: { color: '#f8fafc', round: 0.2 },
  },
  dots: {
    dotsOptions: { type: 'dots', color: '#111827' },
    cornersSquareOptions: { type: 'dot' },
    cornersDotOptions: { type: 'dot' },
    backgroundOptions: { color: '#ffffff' },
  },
  ocean: {
    dotsOptions: { type: 'rounded', color: linear(diagonal, '#0c4a6e', '#0e7490', '#0f766e') },
    cornersSquareOptions: { type: 'extra-rounded', color: '#0c4a6e' },
    cornersDotOptions: { type: 'dot', color: '#0e7490' },
    backgroundOptions: { color: '#f0f9ff' },
  },
  sunset: {
    dotsOptions: { type: 'classy-rounded', color: linear(Math.PI / 2, '#6b21a8', '#be123c', '#c2410c') },
    cornersSquareOptions: { type: 'extra-rounded', color: '#86198f' },
    cornersDotOptions: { type: 'dot', color: '#be123c' },
    backgroundOptions: { color: '#fff7ed' },
  },
  'contrast-eyes': {
    dotsOptions: { type: 'rounded', color: '#111827' },
    cornersSquareOptions: { type: 'extra-rounded', color: '#be123c' },
    cornersDotOptions: { type: 'dot', color: '#be123c' },
    backgroundOptions: { color: '#ffffff' },
  },
  menu: {
    dotsOptions: { type: 'classy', color: '#3b2417' },
    cornersSquareOptions: { type: 'extra-rounded', color: '#7c2d12' },
    cornersDotOptions: { type: 'dot', color: '#7c2d12' },
    backgroundOptions: { color: '#fffaf0' },
    frame: { id: 'banner', text: 'Menu', font: 'serif', color: '#7c2d12' },
  },
  bizcard: {
    dotsOptions: { type: 'classy-rounded', color: '#1e3a5f' },
    cornersSquareOptions: { type: 'square', color: '#0f172a' },
    cornersDotOptions: { type: 'square', color: '#1e3a5f' },
    backgroundOptions: { color: '#ffffff' },
    frame: { id: 'border', text: 'Save contact', font: 'sans', color: '#0f172a' },
  },
  wifi: {
    dotsOptions: { type: 'rounded', color: radial('#2563eb', '#1e3a8a') },
    cornersSquareOptions: { type: 'extra-rounded', color: '#1e3a8a' },
    cornersDotOptions: { type: 'dot', color: '#2563eb' },
    backgroundOptions: { color: '#ffffff' },
    frame: { id: 'scanme', text: 'Free Wi-Fi', font: 'rounded', color: '#1e3a8a' },
  },
  event: {
    dotsOptions: { type: 'classy-rounded', color: linear(diagonal, '#4c1d95', '#be185d') },
    cornersSquareOptions: { type: 'extra-rounded', color: '#4c1d95' },
    cornersDotOptions: { type: 'dot', color: '#be185d' },
    backgroundOptions: { color: '#ffffff' },
    frame: { id: 'ticket', text: 'Get tickets', font: 'display', color: '#4c1d95' },
  },
  boutique: {
    dotsOptions: { type: 'classy', color: '#1c1917' },
    cornersSquareOptions: { type: 'dot', color: '#1c1917' },
    cornersDotOptions: { type: 'dot', color: '#92691c' },
    backgroundOptions: { color: '#fdfbf7' },
    frame: { id: 'polaroid', text: 'Shop the look', font: 'serif', color: '#1c1917' },
  },
  cafe: {
    dotsOptions: { type: 'dots', color: '#4a2c17' },
    cornersSquareOptions: { type: 'extra-rounded', color: '#6f3f1d' },
    cornersDotOptions: { type: 'dot', color: '#4a2c17' },
    backgroundOptions: { color: '#fdf6ec' },
    frame: { id: 'bubble', text: 'Order here', font: 'rounded', color: '#6f3f1d' },
  },
};
