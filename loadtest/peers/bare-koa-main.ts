/** The floor of pages: Koa answers the same bytes, and does nothing else. `node bare-koa-main.ts PORT FILE`, a file of {@link BareAnswers}. */
import { readFileSync } from 'node:fs';
import Koa from 'koa';
import type { BareAnswers } from './bare-koa.ts';

const [port = '', file = ''] = process.argv.slice(2);
const answers = JSON.parse(readFileSync(file, 'utf8')) as BareAnswers;
const byPath = new Map(
  Object.entries(answers).map(([path, { status, headers, body }]) => [
    path,
    { status, headers, body: Buffer.from(body, 'base64') },
  ]),
);

const app = new Koa();
app.use((ctx) => {
  const answer = byPath.get(ctx.path);
  if (!answer) return;
  ctx.status = answer.status;
  ctx.set(answer.headers);
  if (answer.status === 200) ctx.body = answer.body;
});
app.listen(Number(port), '127.0.0.1');
