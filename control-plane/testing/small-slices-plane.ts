/** A program of the tests: a control plane that records what is created, and whose exports have small slices. */
import { runProcess } from '#shared/lifecycle.ts';
import { startControlPlane } from '../app.ts';
import { recordingFeatures } from '../features/bulk/testing/recording-plane.ts';
import { sliceMax as keptSliceMax } from '../features/kept-exports/part.ts';
import { sliceMax } from '../features/serialized/exports/work/kind.ts';

/** A fast machine draws any number of pictures in a second: so many make a slice. */
export const exportSliceItems = 20;

if (import.meta.main) {
  sliceMax.items = exportSliceItems;
  keptSliceMax.rows = exportSliceItems;
  await runProcess('control-plane', (config, logger) => startControlPlane(config, logger, recordingFeatures));
}
