/** Runs once before the files that start programs, however many projects they are in. */
import { ensurePrograms } from './programs.ts';

let ensured: Promise<void> | undefined;

export default async (): Promise<void> => {
  ensured ??= ensurePrograms({ required: process.env.CI === 'true' });
  await ensured;
};
