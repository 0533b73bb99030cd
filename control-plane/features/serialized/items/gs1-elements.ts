/** An item as GS1 elements: the GTIN of its batch, and its serial. */
import type { Gs1Element } from '#shared/gs1/gs1-error.ts';

/** @param serial the value of AI 21 */
export const itemElements = (gtin: string, serial: string): Gs1Element[] => [
  { ai: '01', value: gtin },
  { ai: '21', value: serial },
];
