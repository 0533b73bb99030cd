/** `npm start` with a control plane that also keeps each `qr.created` in a table. */

import { programs } from '../../embedded/parts/planes.ts';
import { run } from '../../embedded/run.ts';

await run({
  programs: { ...programs, controlPlane: ['control-plane/features/bulk/testing/recording-plane.ts'] },
});
