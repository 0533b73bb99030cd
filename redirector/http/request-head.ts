/**
 * The maximum size of a request's head: the same as at the control plane, enough for browsers' cookies and proxies'
 * headers. uWebSockets.js reads the variable once, when it is loaded, so this module must be imported before it. Its
 * default is 4 kB.
 */

/** Request line and headers, in bytes. */
export const headBytesMax = 16 * 1024;

/** The most headers that uWebSockets.js accepts: it answers more with 431 itself. */
export const headersMax = 98;

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(headBytesMax);
