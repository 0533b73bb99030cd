/** What must not be repeated of a request: in a message, or in the log of requests. */

/** Fields and parameters that hold a secret. */
export const secretNames: ReadonlySet<PropertyKey> = new Set(['password', 'encryption', 'key', 'sig']);

/**
 * Values that may hold a secret under a harmless name: a Wi-Fi password, an API key, the user name and password of a
 * URL.
 */
export const maybeSecret = /WIFI:|^wm_|\/\/[^/?#]*@/i;

/** More than is ever quoted. Four million characters take 20 ms. */
const lookedAtMax = 2_000;
/** A secret that may end beyond them. */
const mayGoOn = /\/\/[^/?#]*$/;

export const isSecret = (value: unknown): boolean => {
  if (typeof value !== 'string') return false;
  const start = value.slice(0, lookedAtMax);
  return maybeSecret.test(start) || (start.length < value.length && mayGoOn.test(start));
};

/** Whether an object's `data` is encrypted before it is stored: it is a secret as a whole. */
export const isSealed = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'encryption' in input && input.encryption !== undefined;
