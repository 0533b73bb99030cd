/**
 * The answers that are not redirects: a small page for browsers, JSON for programs. They are rendered once, at start,
 * need nothing from outside, and carry a policy that lets nothing else run.
 */
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';

export interface Answer {
  /** Such as `410 Gone`. */
  readonly status: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly page: Buffer;
  readonly json: Buffer;
}

const style = `
:root{color-scheme:light dark;--ink:#16202e;--dim:#5a6675;--paper:#f6f4ef;--card:#fff;--line:#e4dfd4;--mark:#b4431f}
@media(prefers-color-scheme:dark){:root{--ink:#eef1f5;--dim:#a3adba;--paper:#12161c;--card:#1b212a;--line:#2c3541;--mark:#ff9b73}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--paper);color:var(--ink);
font:17px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:26rem;background:var(--card);border:1px solid var(--line);border-radius:20px;padding:36px 32px;text-align:center}
svg{width:72px;height:72px;color:var(--mark)}
h1{font-size:1.4rem;line-height:1.25;margin:20px 0 8px;text-wrap:balance}
p{margin:0;color:var(--dim);text-wrap:pretty}
footer{margin-top:28px;padding-top:18px;border-top:1px solid var(--line);font-size:.82rem;color:var(--dim)}`;

/** Everything is forbidden but the one style sheet, by its hash (CSP level 3, section 2.3.1). */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders: [string, string][] = [
  ['Cache-Control', 'private, no-store'],
  ['Content-Security-Policy', contentSecurityPolicy],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Robots-Tag', 'noindex'],
];

/** A waymark: the finder pattern of a code, with a way that bends past it or ends. */
const mark = raw(
  '<svg viewBox="0 0 72 72" fill="none" stroke="currentColor" stroke-width="5" stroke-linejoin="round" aria-hidden="true">' +
    '<rect x="8" y="8" width="34" height="34" rx="8"/><rect x="20" y="20" width="10" height="10" rx="2.5" fill="currentColor" stroke="none"/>' +
    '<path d="M25 54v10M41 64h8M56 25h8M56 41v8" stroke-linecap="round"/><path d="m54 54 10 10m0-10L54 64" stroke-linecap="round"/></svg>',
);

const createAnswer = (
  status: string,
  title: string,
  text: string,
  error: string,
  extraHeaders: [string, string][] = [],
): Answer => {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
${mark}
<h1>${title}</h1>
<p>${text}</p>
<footer>Waymark</footer>
</main>
</body>
</html>
`;
  return {
    status,
    headers: [...pageHeaders, ...extraHeaders],
    page: Buffer.from(String(page)),
    json: Buffer.from(JSON.stringify({ error })),
  };
};

export const answers = {
  unknown: createAnswer(
    '404 Not Found',
    'This code leads nowhere',
    'It may be mistyped, or only part of it was scanned. Try scanning it again, a little closer.',
    'No code has this id',
  ),
  inactive: createAnswer(
    '410 Gone',
    'This code is switched off',
    'Whoever made it has deactivated it. If you expected something here, please ask them.',
    'This code is inactive',
  ),
  unavailable: createAnswer(
    '503 Service Unavailable',
    'One moment, please',
    'This code cannot be looked up just now. Please scan it again in a few seconds.',
    'The code cannot be looked up at the moment',
    [['Retry-After', '2']],
  ),
  methodNotAllowed: createAnswer(
    '405 Method Not Allowed',
    'This code can only be opened',
    'A code answers GET and HEAD, nothing else.',
    'Only GET and HEAD are allowed',
    [['Allow', 'GET, HEAD']],
  ),
} satisfies Record<string, Answer>;

/** Whether the Accept header asks for a page: browsers name text/html, programs do not. */
export const wantsPage = (accept: string): boolean => accept.includes('text/html');
