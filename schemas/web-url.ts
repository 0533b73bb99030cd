/**
 * How an http or https URL with a host begins, in so many words: a URL parser would also take `http:host` and `http:\\host`.
 * To be asked before the parser is: no name of a host has more than 253 characters (RFC 1035), and the parser writes
 * international ones in ASCII in a time that grows with the square of their length, 29 ms for 4,096 characters. Some more are
 * let through for a user name and a port, whose refusal has words of its own.
 */
export const httpWithHost = /^https?:\/\/[^/\\?#\s]{1,300}(?![^/\\?#])/i;
