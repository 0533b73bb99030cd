/** The program of a thread. A ClientError is returned as data: between threads an Error loses its class and code. */
import { ClientError, type ErrorCode } from '#shared/errors.ts';
import { render } from './render.ts';
import type { Rendered, RenderTask } from './request.ts';
import { renderSeries, type Series, type SeriesRefusal, type SeriesTask } from './series.ts';

export type WorkerAnswer = ({ ok: true } & Rendered) | { ok: false; code: ErrorCode; message: string };
export type SeriesAnswer = Series | SeriesRefusal;

const answerOne = async (task: RenderTask): Promise<WorkerAnswer> => {
  try {
    return { ok: true, ...(await render(task)) };
  } catch (error) {
    if (error instanceof ClientError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
};

export default async (task: RenderTask | SeriesTask): Promise<WorkerAnswer | SeriesAnswer> => {
  try {
    return await ('payloads' in task ? renderSeries(task) : answerOne(task));
  } catch (error) {
    // qr-code-styling throws strings.
    throw error instanceof Error ? error : new Error(String(error));
  }
};
