/** Checks the form of a Host header's value (RFC 9110, section 7.2). */

const name = '(?:[\\w~-]+\\.)*[\\w~-]+\\.?';
const ipv6 = '\\[[\\da-f:.]{2,45}\\]';
/**
 * Clients send an empty one if their target names no host. Characters that no name has are refused, although a URI may
 * contain some of them.
 */
const host = new RegExp(`^(?:(?:${name}|${ipv6})(?::\\d{0,5})?)?$`, 'i');
/** A name of 253 characters, a dot, and a port. */
const lengthMax = 253 + 1 + 6;

/** Whether a text can be a host, with or without a port. */
export const isHost = (text: string): boolean => text.length <= lengthMax && host.test(text);
