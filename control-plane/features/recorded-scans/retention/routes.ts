/** /api/qr/settings */
import { changeSettingsBody, workspaceSettings } from '#schemas/api/scan-settings.ts';
import { ClientError } from '#shared/errors.ts';
import { type Operation, operation, type ResponseDocs } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { changeScanSettings, readScanSettings, type ScanSettings } from './settings.ts';

const path = '/api/qr/settings';
const tag = 'Analytics';

const answer: Record<number, ResponseDocs> = {
  200: {
    description: 'The settings',
    schema: workspaceSettings,
    example: { scanRetentionDays: 90, scanRetentionDaysMax: 400 },
  },
};

const effect =
  'Analytics that need single scans (filters, codes in time zones other than UTC) reach back as far as these are kept. ' +
  'So do the days of one code in another time zone: the days before have no scans there.';

export const createSettingsOperations = (pool: Pool, serverDays: number): Operation[] => {
  const shown = ({ scanRetentionDays }: ScanSettings) => ({
    body: { scanRetentionDays, scanRetentionDaysMax: serverDays },
  });
  return [
    operation({
      method: 'get',
      path,
      docs: {
        id: 'getSettings',
        tag,
        summary: 'Get the settings of the workspace',
        description: `For how long single scans are kept. ${effect}`,
        responses: answer,
      },
      handle: async ({ principal: { workspaceId } }) => shown(await readScanSettings(pool, workspaceId)),
    }),
    operation({
      method: 'patch',
      path,
      access: 'admin',
      body: changeSettingsBody,
      docs: {
        id: 'updateSettings',
        tag,
        summary: 'Change the settings of the workspace',
        description: `Fields that are not given stay as they are. ${effect}`,
        responses: answer,
        requestExamples: {
          shorter: { summary: 'Keep single scans for 90 days', value: { scanRetentionDays: 90 } },
        },
      },
      async handle({ principal: { workspaceId }, body }) {
        if ((body.scanRetentionDays ?? 0) > serverDays)
          throw new ClientError(
            'UNPROCESSABLE',
            `scanRetentionDays must be at most ${serverDays}: the server keeps single scans for this long`,
          );
        return shown(await inTransaction(pool, (tx) => changeScanSettings(tx, workspaceId, body)));
      },
    }),
  ];
};
