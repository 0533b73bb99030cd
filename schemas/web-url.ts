/**
 * The beginning of an http or https URL with a host; a URL parser also takes `http:host` and `http:\\host`. It is checked before
 * the URL is parsed: no host name has more than 253 characters (RFC 1035), and the parser converts international names to ASCII
 * in a time that grows with the square of their length, 29 ms for 4,096 characters. Some more characters are allowed for a user
 * name and a port, which are refused with a message of their own.
 */
export const httpWithHost = /^https?:\/\/[^/\\?#\s]{1,300}(?![^/\\?#])/i;
