/** Finds variables whose names are close to a setting: they are ignored, and would go unnoticed. */
import { letterDistance } from '../letter-distance.ts';

/** Missing, extra or wrong letters. */
const distanceMax = 2;

/** Short settings, and one-word settings, are too close to unrelated variables, like HOST to HOME. */
const mayBeMeant = (name: string): boolean => name.includes('_') && name.length >= 7;

const nearest = (name: string, settings: readonly string[]): string | undefined =>
  settings
    .filter((setting) => mayBeMeant(setting) && Math.abs(setting.length - name.length) <= distanceMax)
    .map((setting) => ({ setting, letters: letterDistance(name, setting) }))
    .filter(({ letters }) => letters <= distanceMax)
    .sort((a, b) => a.letters - b.letters)[0]?.setting;

/** @returns a warning for each such variable, without its value, which may be a secret */
export const misspeltVariables = (env: NodeJS.ProcessEnv, settings: readonly string[]): string[] =>
  Object.keys(env)
    .filter((name) => env[name] && name.includes('_') && !settings.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, settings);
      return meant === undefined
        ? []
        : [`${name} is not a Waymark setting and is ignored: did you mean ${meant}?`];
    });
