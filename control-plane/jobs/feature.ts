/** The jobs of all features: one table, and one engine (start.ts). */
import type { Feature } from '../framework/feature.ts';

export const jobs: Feature = { name: 'jobs', tables: ['jobs'] };
