/**
 * How large a request's head may be: as at the control plane, enough for the cookies of browsers and the headers of proxies.
 * uWebSockets.js reads the variable once, when it is loaded, so this module is imported before it. Its default is 4 kB.
 */

/** Request line and headers, in bytes. */
export const headBytesMax = 16 * 1024;

/** How many headers uWebSockets.js takes: more are 431, which it answers itself. */
export const headersMax = 98;

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(headBytesMax);
