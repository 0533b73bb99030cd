/** Absolute http and https URLs in bodies. */
import { httpWithHost } from '../web-url.ts';
import { boundedText } from './text.ts';

/** White space, control characters, and those that turn the direction of a text: none of them is seen in a URL. */
export const unseenInUrl = /[\p{Cc}\p{Bidi_Control}\s]/u;

/**
 * A part of a host name that is too long for any (RFC 1035), also where it is written in percents. It is looked for before the URL is
 * parsed: the parser takes a time that grows with the square of it, and a menu has a thousand URLs.
 */
const longLabel = /^https?:\/\/(?:[^/\\?#@]*@)*[^/\\?#@]*[^/\\?#@.:]{64}/i;

/** @returns what is wrong with it, undefined where it is an absolute http or https URL without a user name and password */
export const whyNoWebUrl = (text: string): string | undefined => {
  if (unseenInUrl.test(text) || !text.isWellFormed())
    return 'must not contain white space or control characters';
  const url = httpWithHost.test(text) && !longLabel.test(text) ? URL.parse(text) : null;
  if (!url?.hostname) return 'must be an absolute http or https URL';
  return url.username || url.password ? 'must not contain a user name or password' : undefined;
};

/** An empty text and null remove the field. */
export const emptyToNull = (text: string | null): string | null => text || null;

/** An http or https URL that may be cleared: by an empty text, or by null. */
export const clearableWebUrl = (lengthMax: number) =>
  boundedText(lengthMax)
    .superRefine((text, context) => {
      const message = text === '' ? undefined : whyNoWebUrl(text);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .nullable()
    .transform(emptyToNull);
