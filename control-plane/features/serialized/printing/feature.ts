/** Serialized codes for print: sheets, and the file for label printers. */
import type { Feature } from '../../../feature.ts';
import { itemUrlsOf } from '../feature.ts';
import { createLabelOperations } from './labels/routes.ts';

export const serializedPrinting: Feature = {
  name: 'printing',
  open(services) {
    const { pool } = services;
    return { operations: createLabelOperations({ pool, urls: itemUrlsOf(services) }) };
  },
};
