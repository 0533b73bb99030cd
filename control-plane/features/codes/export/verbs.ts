/** An operator's exit: all codes of the installation, for nginx. */
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { ConfigError } from '#shared/config.ts';
import { messageOf } from '#shared/errors.ts';
import { textsOf } from '../../../api/http/pieces.ts';
import type { AdminContext, Verb } from '../../../framework/verb.ts';
import { aliasesOfCodes } from '../aliases/store.ts';
import { batchIdsMax, queryCounts } from '../analytics/scan-counts.ts';
import { countAllCodes } from '../store/list.ts';
import { readCodePage } from '../store/pages.ts';
import { type NginxFileOptions, nginxFile } from './nginx/file.ts';
import { allCodePages } from './pages.ts';

const timeoutMs = 10_000;

/** Reads counts until ClickHouse does not answer: from then on counts are unknown, which is reported once. */
const createCountsOf = (
  clickhouse: ClickHouseClient,
  complain: AdminContext['complain'],
): NginxFileOptions['countsOf'] => {
  let isAway = false;

  const ask = async (workspaceId: string, ids: readonly string[]): Promise<[string, number][]> => {
    if (isAway) return [];
    try {
      return [
        ...(await queryCounts(
          clickhouse,
          ids.map((id) => ({ workspaceId, id })),
        )),
      ];
    } catch (error) {
      isAway = true;
      complain(
        `ClickHouse does not answer (${messageOf(error)}): codes with maxScans redirect in this file, also those that have reached it`,
      );
      return [];
    }
  };

  return async (workspaceId, ids) => {
    const counts: [string, number][] = [];
    for (let at = 0; at < ids.length; at += batchIdsMax)
      counts.push(...(await ask(workspaceId, ids.slice(at, at + batchIdsMax))));
    return new Map(counts);
  };
};

export const exportVerbs: Readonly<Record<string, Verb>> = {
  'export-nginx': {
    synopsis: '',
    help: [
      'prints one file with which nginx alone redirects the codes of all workspaces, as nginx-map does for one;',
      'a file that ends with the number of its codes is whole',
    ],
    flags: [],
    async run(_, { settings, pool, send, complain }) {
      if (settings.clickhouseUrl === undefined)
        throw new ConfigError('CLICKHOUSE_URL must be set: it knows which codes have reached their maxScans');
      const clickhouse = createClickHouse(settings.clickhouseUrl, 'waymark-admin', timeoutMs);
      try {
        const facts = {
          whose: 'all workspaces',
          qrHost: settings.qrHost,
          now: new Date(),
          codes: await countAllCodes(pool),
        };
        const countsOf = createCountsOf(clickhouse, complain);
        const aliasesOf = (ids: readonly string[]) => aliasesOfCodes(pool, ids);
        await send(textsOf(nginxFile(allCodePages(pool, readCodePage), { ...facts, countsOf, aliasesOf })));
      } finally {
        await clickhouse.close();
      }
      return [];
    },
  },
};
