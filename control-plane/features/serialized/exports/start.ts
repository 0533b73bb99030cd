/** The exports of a process: the queue's jobs, the resumption of what others have left, and the figures of what waits. */
import { imageExportFormats } from '#schemas/api/serialized-images.ts';
import type { Job } from '../../../jobs/registry.ts';
import { startResume } from '../../../jobs/resume.ts';
import { workspaceOfTurn } from '../../../jobs/workspace-turns.ts';
import type { Services } from '../../../services.ts';
import { itemUrlsOf } from '../feature.ts';
import { sweepExports } from './nightly.ts';
import { type ExportBacklog, listStalledExports, readExportBacklog } from './store/backlog.ts';
import { createSlices, exportEnds } from './work/slices.ts';
import { createSteps } from './work/steps.ts';
import { exportTurns } from './work/turns.ts';

const type = 'image_export';

/** Begins to work on exports. @returns the queue's jobs */
export const startExports = async (services: Services): Promise<Job[]> => {
  const { connections, pool, storage, renderer, metrics, logger, background, onClose } = services;
  const takeStep = createSteps({
    pool: connections.jobs,
    storage,
    renderer,
    urls: itemUrlsOf(services),
    onPictures: metrics.counter(
      'export_pictures_total',
      'Pictures of serialized items that were drawn',
      'format',
      imageExportFormats,
    ),
  });
  const work = createSlices({
    pool: connections.jobs,
    storage,
    logger,
    type,
    turns: exportTurns,
    takeStep,
    onEnded: metrics.counter(
      'exports_total',
      'Exports of serialized batches, by how they ended',
      'end',
      exportEnds,
    ),
  });
  const backlog: ExportBacklog = { exports: 0, pictures: 0, oldestSeconds: 0 };
  const resume = await startResume({
    db: pool,
    background,
    turns: exportTurns,
    what: 'exports',
    listStalled: (db, idleSeconds) => listStalledExports(db, idleSeconds, type, exportTurns),
    looked: async () => Object.assign(backlog, await readExportBacklog(pool, type)),
  });
  onClose(() => resume.close());
  metrics.gauge('exports_waiting', 'Exports that are not finished', () => backlog.exports);
  metrics.gauge('export_pictures_waiting', 'Their pictures that are not drawn', () => backlog.pictures);
  metrics.gauge('export_oldest_seconds', 'Age of the oldest of them', () => backlog.oldestSeconds);
  return [
    { task: exportTurns.task, run: (payload) => work(workspaceOfTurn(payload)) },
    {
      task: 'sweep-exports',
      schedule: '50 3 * * *',
      async run() {
        await exportTurns.removeDeadJobs(pool);
        await sweepExports({ pool, storage, logger });
      },
    },
  ];
};
