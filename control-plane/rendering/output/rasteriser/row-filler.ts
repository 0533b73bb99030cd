/** Fills → the colours of pixels in a row, as numbers whose lowest byte is red and whose highest is alpha. */
import type { DrawnGradient, Fill, Stop } from '../../vector/gradients.ts';

/**
 * Writes the colours of the pixels `from` to `to` (exclusive) of a row to `target`, each at `offset` plus its column.
 */
export type RowFiller = (target: Int32Array, offset: number, row: number, from: number, to: number) => void;

/** @param color `#rrggbb` */
const channels = (color: string): [number, number, number] => {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
};

const packed = (red: number, green: number, blue: number): number =>
  (255 << 24) | (blue << 16) | (green << 8) | red;

/** Colours along a gradient: more steps than there are between any two colours of eight bits per channel. */
const rampLength = 1024;

/** Before the first stop and after the last, that stop's colour applies. */
const rampOf = (stops: readonly Stop[]): Int32Array => {
  const colors = stops.map(({ offset, color }) => ({ offset, rgb: channels(color) }));
  const ramp = new Int32Array(rampLength);
  let next = 0;
  for (let index = 0; index < rampLength; index++) {
    const offset = index / (rampLength - 1);
    while (next < colors.length && colors[next]!.offset <= offset) next++;
    const [low, high] = [colors[Math.max(0, next - 1)]!, colors[Math.min(next, colors.length - 1)]!];
    const share = low === high ? 0 : (offset - low.offset) / (high.offset - low.offset);
    const mix = (channel: 0 | 1 | 2) =>
      Math.round(low.rgb[channel] + (high.rgb[channel] - low.rgb[channel]) * share);
    ramp[index] = packed(mix(0), mix(1), mix(2));
  }
  return ramp;
};

/** @param t along the gradient, in steps of the ramp */
const onRamp = (t: number): number => Math.min(Math.max((t + 0.5) | 0, 0), rampLength - 1);

const linear = (gradient: DrawnGradient & { type: 'linear' }, scale: number): RowFiller => {
  const ramp = rampOf(gradient.stops);
  const [dx, dy] = [gradient.x2 - gradient.x1, gradient.y2 - gradient.y1];
  const length = dx * dx + dy * dy;
  // One step per pixel; pixels are sampled at their centres.
  const steps = (rampLength - 1) / length;
  const [across, down] = [(dx * steps) / scale, (dy * steps) / scale];
  const start = -(gradient.x1 * dx + gradient.y1 * dy) * steps;
  return (target, offset, row, from, to) => {
    const left = start + (row + 0.5) * down + 0.5 * across;
    for (let x = from; x < to; x++) target[offset + x] = ramp[onRamp(left + x * across)]!;
  };
};

const radial = (gradient: DrawnGradient & { type: 'radial' }, scale: number): RowFiller => {
  const ramp = rampOf(gradient.stops);
  const [cx, cy] = [gradient.cx * scale, gradient.cy * scale];
  const steps = (rampLength - 1) / (gradient.r * scale);
  return (target, offset, row, from, to) => {
    const dy = row + 0.5 - cy;
    for (let x = from; x < to; x++) {
      const dx = x + 0.5 - cx;
      target[offset + x] = ramp[onRamp(Math.sqrt(dx * dx + dy * dy) * steps)]!;
    }
  };
};

/** @param scale pixels per drawing unit */
export const rowFillerOf = (fill: Fill, scale: number): RowFiller => {
  if (typeof fill === 'string') {
    const color = packed(...channels(fill));
    return (target, offset, _row, from, to) => {
      target.fill(color, offset + from, offset + to);
    };
  }
  return fill.type === 'linear' ? linear(fill, scale) : radial(fill, scale);
};
