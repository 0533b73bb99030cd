/** A stop while the disk hangs: processes as in production, on a disk of their own that is really frozen. */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { expect, test, vi } from 'vitest';
import { createClickHouse } from '#shared/clickhouse.ts';
import { canMount, mountDisk, run } from '../../deploy/testing/disk.ts';
import { afterFile } from '../../deploy/testing/local.ts';
import { createInstance, patient, type RedirectorProcess } from '../testing/instance.ts';
import { startLoad } from '../testing/load.ts';
import { createRecord, phone } from '../testing/redirector.ts';

const until = (assertion: () => unknown) => vi.waitFor(assertion, patient);

const countOf = async (clickhouseUrl: string, codeId: string): Promise<number> => {
  const client = createClickHouse(clickhouseUrl, 'test', 10_000);
  const result = await client.query({
    query: 'SELECT toUInt32(count()) AS scans FROM scans WHERE code_id = {codeId:String}',
    query_params: { codeId },
    format: 'JSONEachRow',
  });
  const [row] = await result.json<{ scans: number }>();
  await client.close();
  return row!.scans;
};

const linesOf = ({ log }: RedirectorProcess, ...messages: string[]) =>
  log.filter(({ msg }) => messages.includes(msg));

test.skipIf(!canMount)(
  'workers stopped while the disk hangs send their scans in memory, and close in time',
  async () => {
    const disk = await mountDisk(16);
    const instance = await createInstance({
      REDIRECTOR_WORKERS: '2',
      DATA_DIR: disk,
      SEGMENT_AGE_MS: '200',
    });
    const [before, last] = [createRecord(), createRecord()];
    await instance.publish(before);
    await instance.publish(last);
    const redirector = await instance.start();
    await until(async () => expect(await redirector.complete()).toBe(true));
    const load = startLoad(instance.url, before.id, { clients: 16 });
    await until(() => expect(load.acknowledged).toBeGreaterThan(300));
    run('fsfreeze', '-f', disk);
    let frozen = true;
    const thaw = () => {
      if (frozen) run('fsfreeze', '-u', disk);
      frozen = false;
    };
    afterFile(thaw);
    await until(async () => expect(await redirector.metric('spool_hanging')).toBe(2));
    await load.stop();
    // The segments that are partly on disk are closed; later scans are only in memory.
    await sleep(3000);
    for (let scan = 0; scan < 20; scan++) {
      const { statusCode, body } = await request(`${instance.url}/r/${last.id}`, {
        headers: { 'user-agent': phone },
      });
      await body.dump();
      expect(statusCode).toBe(302);
    }
    redirector.kill('SIGTERM');
    await until(() =>
      expect(
        linesOf(redirector, 'all scans are sent', 'scans stay in the spool until the next start'),
        JSON.stringify(redirector.log.slice(-20)),
      ).toHaveLength(2),
    );
    expect(await countOf(instance.clickhouseUrl, last.id)).toBe(20);
    // A hanging system call keeps its process alive.
    thaw();
    expect(await redirector.exited).toBe(0);
    expect(linesOf(redirector, 'did not close in time')).toEqual([]);
  },
);
