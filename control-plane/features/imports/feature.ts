/** Imports: the links of another service are read from a file, checked, and made into codes. */
import { createCursors } from '../../api/http/cursors.ts';
import type { Feature } from '../../framework/feature.ts';
import { spreadsheetReaderOf } from '../bulk/upload/open-reader.ts';
import { aliasClaimsOf } from '../codes/aliases/feature.ts';
import { codeBatchOf } from '../codes/batch/feature.ts';
import { createImportOperations } from './routes.ts';
import { sweepImports } from './store/expired.ts';
import { importIds, importRunIds } from './store/imports.ts';
import { createKinds } from './work/kinds.ts';
import { createPrepareRows } from './work/prepare-rows.ts';

export const imports: Feature = {
  name: 'imports',
  tables: ['imports', 'import_rows'],
  ids: [importIds, importRunIds],
  keyPurposes: ['import cursor'],
  open(services) {
    const { pool, config, connections, consumeQuota, keyFor } = services;
    const batch = codeBatchOf(services);
    const prepareRows = createPrepareRows({ pool, batch, claims: aliasClaimsOf(services) });
    return {
      operations: createImportOperations({
        pool,
        reader: spreadsheetReaderOf(services),
        sharedHost: new URL(config.qrHost).hostname,
        locationOf: (id) => `${config.baseUrl}/api/qr/imports/${id}`,
        consumeQuota,
        cursors: createCursors(keyFor('import cursor')),
      }),
      jobKinds: createKinds(connections.jobs, prepareRows, batch),
      tasks: [
        {
          task: 'sweep-imports',
          schedule: '40 3 * * *',
          run: () => sweepImports(pool),
        },
      ],
    };
  },
};
