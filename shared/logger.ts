/** Structured logs, one JSON object per line. */
import { type Logger, pino } from 'pino';

export type { Logger };

/**
 * @param name the process, such as `control-plane`
 * @param level the least severe level that is written
 * @param output `stderr` if standard output is for results
 */
export const createLogger = (name: string, level: string, output: 'stdout' | 'stderr' = 'stdout'): Logger => {
  const options = {
    name,
    level,
    // Never logged, even by accident.
    redact: [
      '*.authorization',
      '*.headers.authorization',
      '*.cookie',
      '*.password',
      '*.apiKey',
      '*.secretKey',
    ],
  };
  return output === 'stderr' ? pino(options, pino.destination({ dest: 2, sync: true })) : pino(options);
};
