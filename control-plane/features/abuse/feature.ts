/** Abuse: reports of visitors, and the nightly screening of what codes lead to. */
import type { Feature } from '../../framework/feature.ts';
import { screeningOf } from '../screening/feature.ts';
import { createCodeOfUrl } from './code-of-url.ts';
import { screeningTask } from './nightly.ts';
import { createReportOperations } from './routes.ts';
import { removeOldReports, reportIds } from './store.ts';
import { abuseVerbs } from './verbs.ts';

export const abuse: Feature = {
  name: 'abuse',
  tables: ['abuse_reports', 'screening_progress'],
  ids: [reportIds],
  verbs: abuseVerbs,
  open(services) {
    const { pool, connections, outbox, config, logger } = services;
    return {
      operations: createReportOperations({
        pool,
        codeOfUrl: createCodeOfUrl(pool, new URL(config.qrHost).hostname),
        qrHost: config.qrHost,
      }),
      tasks: [
        screeningTask({
          pool: connections.jobs,
          outbox,
          screening: screeningOf(services),
          suspends: config.screeningSuspends,
          logger,
        }),
        {
          task: 'remove-old-abuse-reports',
          schedule: '37 2 * * *',
          run: () => removeOldReports(connections.jobs),
        },
      ],
    };
  },
};
