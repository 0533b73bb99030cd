/**
 * A destination is an absolute http or https URL with a host. These are refused:
 * - white space and control characters: URL parsers silently drop some of them, so a browser would open another URL
 *   than the one checked;
 * - a user name or password: it would be printed for everyone to read, and `https://bank.example@evil.example` pretends
 *   to lead elsewhere;
 * - our own `{qr_host}/r/…`: a code that leads to a code can lead to itself.
 */
import { httpWithHost } from '../web-url.ts';
import { boundedText } from './text.ts';

/** The longest URL, as given and in ASCII: every proxy accepts a Location header of this length. */
export const destinationLengthMax = 4096;

const tooLong = `must have at most ${destinationLengthMax} characters, those of its percent-encoded form counted`;

/** Unicode's control characters and white space. */
const controlOrSpace = /[\p{Cc}\s]/u;

/**
 * @param qrHost the origin of redirects, such as `https://qr.example.com`
 * @param instead the end of the message that refuses our own code
 */
export const createDestination = (qrHost: string, instead = '') => {
  const self = new URL(qrHost);
  return boundedText(destinationLengthMax, tooLong).superRefine((text, context) => {
    const message = whyRefused(text, self, instead);
    // No other check reads a refused URL.
    if (message !== undefined)
      context.addIssue({ code: 'invalid_format', format: 'url', message, continue: false });
  });
};

/** The ASCII form of an accepted destination, for a Location header. */
export const asciiDestination = (destination: string): string => new URL(destination).href;

const whyRefused = (text: string, self: URL, instead: string): string | undefined => {
  if (controlOrSpace.test(text)) return 'must not contain white space or control characters';
  const url = httpWithHost.test(text) && text.isWellFormed() ? URL.parse(text) : null;
  if (!url?.hostname) return 'must be an absolute http or https URL with a host';
  if (url.username || url.password) return 'must not contain a user name or password';
  if (url.href.length > destinationLengthMax) return tooLong;
  if (isRedirectOf(self, url)) return `must not be one of the codes at ${self.origin}/r/ itself${instead}`;
  return undefined;
};

const isRedirectOf = (self: URL, url: URL): boolean =>
  hostOf(url) === hostOf(self) && portOf(url) === portOf(self) && /^\/(r|%72)(\/|%2f)/i.test(url.pathname);

/** The URL parser converts it to lower case and punycode; a trailing dot names the same host. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '');

/** Empty for the scheme's own port: http on 80 counts as https on 443, to which it usually leads. */
const portOf = ({ port }: URL): string => (['80', '443'].includes(port) ? '' : port);
