/**
 * How large a request's head may be: as large as the control plane's, and as what browsers, proxies and their cookies make of it.
 * uWebSockets.js reads the variable once, when it is loaded; so this is imported before it. Without it 4 kB would be all.
 */

/** Request line and headers, in bytes. */
export const headBytesMax = 16 * 1024;

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(headBytesMax);
