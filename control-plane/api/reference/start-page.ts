/**
 * The page at `/`: an introduction for people, with a link to the reference. Redirectors show it as well, to people who
 * typed only half of an address.
 */
import { html } from 'hono/html';
import type { Outline } from './outline.ts';
import { type Assets, head, mark } from './shell.ts';

const description = 'QR codes that can be changed after they are printed.';

export const startPage = ({ title }: Outline, assets: Assets): string =>
  `${html`<!doctype html>
<html lang="en">
<head>
${head(title, assets, description)}
</head>
<body class="start">
<main>
<h1>${mark}<span>${title}</span></h1>
<p class="start-lead">${description}</p>
<p>This is the API. With it you make dynamic and static codes, landing pages, forms, menus and serialized codes, and read their scans.</p>
<p class="start-visitor">Did you type the address of a printed code? Scan the code, or type all of its address.</p>
<p class="start-links"><a class="button primary" href="/docs">Read the reference</a> <a class="button" href="/openapi.json">OpenAPI document</a> <a class="button" href="/api/health/ready">Health</a></p>
</main>
</body>
</html>
`}`;
