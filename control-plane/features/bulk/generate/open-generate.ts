/** Pictures of many codes in one call: its kind of operation, its paths, its job. */
import { isCodePictureRow } from '#schemas/api/bulk-generate.ts';
import { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { validateBody } from '../../../api/http/validation.ts';
import type { Services } from '../../../framework/services.ts';
import { brandKitsOf } from '../../brand-kits/feature.ts';
import { rowLogosOf } from '../../logos/feature.ts';
import { picturesOf } from '../../pictures/feature.ts';
import { staticDrawingOf } from '../../static/feature.ts';
import { submitOf } from '../engine/engine.ts';
import { createCodeRows } from './code-rows.ts';
import type { StaticRow } from './docs.ts';
import { generateKind } from './kind.ts';
import { removeLeftovers } from './leftovers.ts';
import type { PictureOptions } from './pictures.ts';
import { createGenerateOperations } from './routes.ts';
import { createStaticRows } from './static-rows.ts';

/** A call may mix both kinds of rows. */
const sliceOpeningOf = (services: Services, staticRow: StaticRow): PictureOptions['openSlice'] => {
  const { pool } = services;
  const staticRows = createStaticRows({
    draw: staticDrawingOf(services),
    logos: rowLogosOf(services),
    read: (body) => validateBody(staticRow, body),
  });
  const codeRows = createCodeRows({ pool, pictures: picturesOf(services) });
  return async (workspaceId, rows) => {
    const [drawStatic, drawCode] = [staticRows(workspaceId), await codeRows(workspaceId, rows)];
    return (row) => (isCodePictureRow(row) ? drawCode(row) : drawStatic(row));
  };
};

export const openGenerate = (services: Services) => {
  const { config, pool, storage, logger } = services;
  const { staticRow } = createCodeBodies(config.qrHost);
  return {
    kind: generateKind({
      pool,
      storage,
      openSlice: sliceOpeningOf(services, staticRow),
    }),
    operations: createGenerateOperations({
      pool,
      storage,
      logger,
      submit: submitOf(services),
      kits: brandKitsOf(services),
      baseUrl: config.baseUrl,
      row: staticRow,
    }),
    tasks: [
      {
        task: 'remove-bulk-leftovers',
        schedule: '45 3 * * *',
        run: () => removeLeftovers({ pool, storage, logger }),
      },
    ],
  };
};
