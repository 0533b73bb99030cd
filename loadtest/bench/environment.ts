/**
 * The environment of the redirector's load tests: a temporary folder, real databases with the schema, and 10,000 codes in Redis, as
 * the control plane writes them.
 */
import path from 'node:path';
import { type CodeRecord, recordKey, serializeRecord } from '#schemas/code-record.ts';
import { documentKey, serializeDocument, type WorkspaceDocument } from '#schemas/documents.ts';
import { type CodeIds, createCodeIds } from '#shared/ids.ts';
import type { Closer } from '#shared/lifecycle.ts';
import type { Redis } from '#shared/redis.ts';
import { deriveKey } from '#shared/signing.ts';
import { codeCount, newIds, requestsFor, writeRequests } from '../load/traffic.ts';
import { giveWay } from '../measure/pinning.ts';
import { makeTemporaryFolder } from './abort.ts';
import { connectRedis, openDatabases, type StartedDatabases } from './databases.ts';
import { secretKey } from './planes.ts';
import { startTruth } from './truth.ts';

export const workspaceId = 'ws_1111111111111111';

export interface Environment extends StartedDatabases {
  /** Temporary. */
  home: string;
  codeIds: CodeIds;
  ids: string[];
  /** Requests for `/r/{id}`. */
  requestsFile: string;
  /** Compares versions as the control plane does. */
  truthUrl: string;
  /** The processes behind a redirector: Redis and ClickHouse. */
  behindPids: readonly number[];
  redis: Redis;
}

export const recordOf = (id: string, changes: Partial<CodeRecord> = {}): CodeRecord => ({
  id,
  workspaceId,
  version: 1,
  active: true,
  destination: `https://example.com/landing/page?code=${id}`,
  ...changes,
});

/** Writes records to Redis, a thousand at a time. */
export const writeRecords = async (redis: Redis, records: readonly CodeRecord[]): Promise<void> => {
  const batch = 1000;
  for (let start = 0; start < records.length; start += batch) {
    const pairs = records
      .slice(start, start + batch)
      .flatMap((record) => [recordKey(record.id), serializeRecord(record)]);
    await redis.mset(...pairs);
  }
};

export const openEnvironment = async (closer: Closer): Promise<Environment> => {
  const temporary = await makeTemporaryFolder('load');
  closer.add(temporary.remove);
  const home = temporary.path;
  const databases = await openDatabases(home, closer, { durable: false });
  giveWay(databases.clickhousePid);
  const redis = await connectRedis(databases.redisUrl, closer);
  const codeIds = createCodeIds(deriveKey(secretKey, 'code-id'));
  const ids = newIds(codeIds, codeCount);
  const records = ids.map((id) => recordOf(id));
  await writeRecords(redis, records);
  // As of every workspace. No webhook follows its scans.
  const workspace: WorkspaceDocument = { id: workspaceId, version: 1 };
  await redis.set(documentKey(workspaceId), serializeDocument(workspace));
  const truth = await startTruth(new Map([[workspaceId, serializeDocument(workspace)]]));
  closer.add(() => truth.close());
  const requestsFile = path.join(home, 'requests');
  await writeRequests(requestsFile, requestsFor(ids, '/r/'));
  return {
    ...databases,
    home,
    codeIds,
    ids,
    requestsFile,
    truthUrl: truth.url,
    behindPids: [databases.redisPid, databases.clickhousePid],
    redis,
  };
};
