/** Structured logs, one JSON object a line on standard output. */
import { type Logger, pino } from 'pino';

export type { Logger };

/**
 * @param name the process, such as `control-plane`
 * @param level the least severe level that is written
 */
export const createLogger = (name: string, level: string): Logger =>
  pino({
    name,
    level,
    // Never logged, not even by accident.
    redact: [
      '*.authorization',
      '*.headers.authorization',
      '*.cookie',
      '*.password',
      '*.apiKey',
      '*.secretKey',
    ],
  });
