/** Numbers in bodies. */
import { z } from 'zod';

/** The message says the bounds whatever is wrong with the number; anything but a number is a wrong type. */
export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.number().int(message).min(min, message).max(max, message);
};
