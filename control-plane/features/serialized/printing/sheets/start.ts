/** The sheets of a process: the queue's jobs, the resumption of what others have left, and the figures of what waits. */
import type { Job } from '../../../../jobs/registry.ts';
import { startResume } from '../../../../jobs/resume.ts';
import { workspaceOfTurn } from '../../../../jobs/workspace-turns.ts';
import type { Services } from '../../../../services.ts';
import { type ExportBacklog, listStalledExports, readExportBacklog } from '../../exports/store/backlog.ts';
import { createSlices, exportEnds } from '../../exports/work/slices.ts';
import { itemUrlsOf } from '../../feature.ts';
import { createSheetSteps } from './steps.ts';
import { sheetTurns } from './turns.ts';

const type = 'sheet_export';

/** Begins to draw sheets. @returns the queue's jobs */
export const startSheets = async (services: Services): Promise<Job[]> => {
  const { connections, pool, storage, renderer, metrics, logger, background, onClose } = services;
  const count = metrics.counter('sheet_labels_total', 'Labels of sheets that were drawn', 'what', ['label']);
  const { takeStep, removePages } = createSheetSteps({
    pool: connections.jobs,
    storage,
    renderer,
    urls: itemUrlsOf(services),
    onLabels: (labels) => count('label', labels),
  });
  const work = createSlices({
    pool: connections.jobs,
    storage,
    logger,
    type,
    turns: sheetTurns,
    takeStep,
    afterCompleted: removePages,
    onEnded: metrics.counter(
      'sheets_total',
      'Sheets of serialized batches, by how they ended',
      'end',
      exportEnds,
    ),
  });
  const backlog: ExportBacklog = { exports: 0, pictures: 0, oldestSeconds: 0 };
  const resume = await startResume({
    db: pool,
    background,
    turns: sheetTurns,
    what: 'sheets',
    listStalled: (db, idleSeconds) => listStalledExports(db, idleSeconds, type, sheetTurns),
    looked: async () => Object.assign(backlog, await readExportBacklog(pool, type)),
  });
  onClose(() => resume.close());
  metrics.gauge('sheets_waiting', 'Sheets that are not finished', () => backlog.exports);
  metrics.gauge('sheet_oldest_seconds', 'Age of the oldest of them', () => backlog.oldestSeconds);
  return [
    { task: sheetTurns.task, run: (payload) => work(workspaceOfTurn(payload)) },
    { task: 'sweep-sheet-turns', schedule: '55 3 * * *', run: () => sheetTurns.removeDeadJobs(pool) },
  ];
};
