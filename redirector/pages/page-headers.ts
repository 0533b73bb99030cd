/** The headers of pages, including a policy that lets nothing else run, load or connect. */
import { createHash } from 'node:crypto';

export type PageHeaders = readonly (readonly [name: string, value: string])[];

const source = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export interface PolicyTexts {
  style: string;
  script?: string | undefined;
  /** A source of img-src: an origin. */
  imageSource?: string | undefined;
  /** Sources of form-action. */
  formAction: string;
}

/** Forbids everything except these texts, allowed by their hashes (CSP level 3, section 2.3.1), and the pictures. */
export const policyOf = ({ style, script, imageSource, formAction }: PolicyTexts): string =>
  [
    "default-src 'none'",
    `style-src ${source(style)}`,
    `script-src ${script === undefined ? "'none'" : source(script)}`,
    ...(imageSource === undefined ? [] : [`img-src ${imageSource}`]),
    "connect-src 'none'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    // Texts cannot become markup in the browser either.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Without Vary, which depends on how the answer is chosen. */
export const commonHeaders: PageHeaders = [
  ['Cache-Control', 'private, no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Robots-Tag', 'noindex'],
];
