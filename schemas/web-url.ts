/**
 * The beginning of an http or https URL with a host; URL parsers also accept `http:host` and `http:\\host`. It is
 * checked before the URL is parsed: host names have at most 253 characters (RFC 1035), and the parser converts
 * international names to ASCII in time quadratic in their length, 29 ms for 4,096 characters. A few more characters are
 * allowed for a user name and a port, which are refused with their own message.
 */
export const httpWithHost = /^https?:\/\/[^/\\?#\s]{1,300}(?![^/\\?#])/i;
