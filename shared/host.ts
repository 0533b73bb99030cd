/** The value of the header Host, by its form (RFC 9110, section 7.2). */

const name = '(?:[\\w~-]+\\.)*[\\w~-]+\\.?';
const ipv6 = '\\[[\\da-f:.]{2,45}\\]';
/** Empty is what clients send whose target names no host. Characters that no name has are refused, although a URI may have some of them. */
const host = new RegExp(`^(?:(?:${name}|${ipv6})(?::\\d{0,5})?)?$`, 'i');
/** A name of 253 characters, a dot, and a port. */
const lengthMax = 253 + 1 + 6;

/** Whether a text can be a host, with a port or without. */
export const isHost = (text: string): boolean => text.length <= lengthMax && host.test(text);
