/** Numbers in bodies. */
import { z } from 'zod';

/** Every wrong number gets the message with the bounds; anything else is a wrong type. */
export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.number().int(message).min(min, message).max(max, message);
};
