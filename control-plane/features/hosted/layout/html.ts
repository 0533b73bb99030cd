/** The type of markup that `hono/html` has escaped. */
import type { html } from 'hono/html';

export type Html = ReturnType<typeof html>;
