/**
 * The program of a logo process. A ClientError is returned as data: between processes an Error loses its class and
 * code.
 */
import { ClientError, type ErrorCode } from '#shared/errors.ts';
import '../output/raster.ts';
import { answerTasks } from '../../platform/processes/process-pool.ts';
import { type PreparedLogo, prepareLogo } from './prepare-logo.ts';

export interface LogoTask {
  image: string;
  sidePixelsMax: number;
}

export type LogoAnswer = { ok: true; logo: PreparedLogo } | { ok: false; code: ErrorCode; message: string };

answerTasks<LogoTask, LogoAnswer>(async ({ image, sidePixelsMax }) => {
  try {
    return { ok: true, logo: await prepareLogo(image, sidePixelsMax) };
  } catch (error) {
    if (error instanceof ClientError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
});
