/** The pictures of many static codes by one call: its kind of operation, its paths, its job. */
import { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { validateBody } from '../../../http/validation.ts';
import type { Services } from '../../../services.ts';
import { brandKitsOf } from '../../brand-kits/feature.ts';
import { rowLogosOf } from '../../logos/feature.ts';
import { staticDrawingOf } from '../../static/feature.ts';
import { submitOf } from '../engine/engine.ts';
import { generateKind } from './kind.ts';
import { removeLeftovers } from './leftovers.ts';
import { createGenerateOperations } from './routes.ts';

export const openGenerate = (services: Services) => {
  const { config, pool, storage, logger } = services;
  const { staticRow } = createCodeBodies(config.qrHost);
  return {
    kind: generateKind({
      pool,
      storage,
      draw: staticDrawingOf(services),
      logos: rowLogosOf(services),
      read: (body) => validateBody(staticRow, body),
    }),
    operations: createGenerateOperations({
      pool,
      storage,
      submit: submitOf(services),
      kits: brandKitsOf(services),
      baseUrl: config.baseUrl,
      row: staticRow,
    }),
    jobs: [
      {
        task: 'remove-bulk-leftovers',
        schedule: '45 3 * * *',
        run: () => removeLeftovers({ pool, storage, logger }),
      },
    ],
  };
};
