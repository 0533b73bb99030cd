/** Absolute http and https URLs in bodies. */
import { httpWithHost } from '../web-url.ts';
import { asciiDestination } from './destination.ts';
import { boundedText, checkedText } from './text.ts';

/** White space, control characters, and characters that change the direction of text: all are invisible in a URL. */
export const unseenInUrl = /[\p{Cc}\p{Bidi_Control}\s]/u;

/**
 * A part of a host name that is too long (RFC 1035), even if percent-encoded. Checked before the URL is parsed: the
 * parser takes time quadratic in its length, and a menu has a thousand URLs.
 */
const longLabel = /^https?:\/\/(?:[^/\\?#@]*@)*[^/\\?#@]*[^/\\?#@.:]{64}/i;

/** @returns the error; undefined for an absolute http or https URL without user name and password */
export const whyNoWebUrl = (text: string): string | undefined => {
  if (unseenInUrl.test(text) || !text.isWellFormed())
    return 'must not contain white space or control characters';
  const url = httpWithHost.test(text) && !longLabel.test(text) ? URL.parse(text) : null;
  if (!url?.hostname) return 'must be an absolute http or https URL';
  return url.username || url.password ? 'must not contain a user name or password' : undefined;
};

/** An absolute http or https URL, which becomes ASCII. An empty text stays one, if it is allowed. */
export const asciiWebUrl = (lengthMax: number, { mayBeEmpty = false } = {}) =>
  checkedText(lengthMax, (text) => {
    if (mayBeEmpty && text === '') return undefined;
    const why = whyNoWebUrl(text);
    if (why !== undefined) return why;
    return asciiDestination(text).length > 2 * lengthMax
      ? 'is too long once it is percent-encoded'
      : undefined;
  }).transform((text) => text && asciiDestination(text));

/** An empty text or null removes the field. */
export const emptyToNull = (text: string | null): string | null => text || null;

/** An http or https URL that an empty text or null clears. */
export const clearableWebUrl = (lengthMax: number) =>
  boundedText(lengthMax)
    .superRefine((text, context) => {
      const message = text === '' ? undefined : whyNoWebUrl(text);
      if (message !== undefined) context.addIssue({ code: 'invalid_format', format: 'url', message });
    })
    .nullable()
    .transform(emptyToNull);
