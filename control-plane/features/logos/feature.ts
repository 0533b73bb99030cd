/** The logos of bulk rows, for the features that have rows. */
import { oncePerProcess } from '../../framework/feature.ts';
import { createRowLogos } from './row-logos.ts';

export const rowLogosOf = oncePerProcess(({ safeFetch }) => createRowLogos(safeFetch));
