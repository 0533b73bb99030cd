/** What runs in a thread of the pool. A client's error crosses as data: an Error loses its class and code. */
import { ClientError, type ErrorCode } from '#shared/errors.ts';
import { type Rendered, type RenderTask, render } from './render.ts';

export type WorkerAnswer = ({ ok: true } & Rendered) | { ok: false; code: ErrorCode; message: string };

export default async (task: RenderTask): Promise<WorkerAnswer> => {
  try {
    return { ok: true, ...(await render(task)) };
  } catch (error) {
    if (error instanceof ClientError) return { ok: false, code: error.code, message: error.message };
    // The library throws strings.
    throw error instanceof Error ? error : new Error(String(error));
  }
};
