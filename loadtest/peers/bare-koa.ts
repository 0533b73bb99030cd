/** Starts the floor of pages. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';

const program = fileURLToPath(new URL('bare-koa-main.ts', import.meta.url));

export interface BareAnswer {
  status: number;
  headers: Record<string, string>;
  /** In base64. */
  body: string;
}

/** By path. */
export type BareAnswers = Record<string, BareAnswer>;

export const startBareKoa = async (home: string, answers: BareAnswers): Promise<ServerProcess> => {
  const port = await freePort();
  const file = path.join(home, 'bare-answers.json');
  await writeFile(file, JSON.stringify(answers));
  return startServer({
    name: 'bare-koa',
    command: process.execPath,
    args: [program, String(port), file],
    home: path.join(home, 'bare-koa'),
    port,
    env: { NODE_ENV: 'production' },
  });
};
