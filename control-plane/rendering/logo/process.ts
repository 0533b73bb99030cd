/** What runs in a process for logos. A client's error crosses as data: an Error loses its class and code. */
import { ClientError, type ErrorCode } from '#shared/errors.ts';
import '../output/raster.ts';
import { type PreparedLogo, prepareLogo } from './index.ts';
import { answerTasks } from './process-pool.ts';

export interface LogoTask {
  image: string;
  sideMax: number;
}

export type LogoAnswer = { ok: true; logo: PreparedLogo } | { ok: false; code: ErrorCode; message: string };

answerTasks<LogoTask, LogoAnswer>(async ({ image, sideMax }) => {
  try {
    return { ok: true, logo: await prepareLogo(image, sideMax) };
  } catch (error) {
    if (error instanceof ClientError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
});
