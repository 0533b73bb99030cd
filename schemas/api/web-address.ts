/** Absolute http and https URLs in bodies. */
import { httpWithHost } from '../web-url.ts';
import { boundedText } from './text.ts';

/** White space, control characters, and those that turn the direction of a text: none of them is seen in a URL. */
export const unseenInUrl = /[\p{Cc}\p{Bidi_Control}\s]/u;

/** @returns what is wrong with it, undefined where it is an absolute http or https URL without a user name and password */
export const whyNoWebUrl = (text: string): string | undefined => {
  if (unseenInUrl.test(text) || !text.isWellFormed())
    return 'must not contain white space or control characters';
  const url = httpWithHost.test(text) ? URL.parse(text) : null;
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
