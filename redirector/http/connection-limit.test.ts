/** More connections than a process has files. */
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { Agent, request } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import { makeCertificate } from '../../deploy/testing/certificate.ts';
import { afterFile, temporaryFolder } from '../../deploy/testing/local.ts';
import { hasProgram } from '../../deploy/testing/programs.ts';
import { eventually } from '../testing/eventually.ts';
import { createInstance } from '../testing/instance.ts';
import { totalsFor, totalsOf } from '../testing/load.ts';
import { createRecord, phone } from '../testing/redirector.ts';
import { connectionsMaxOf, openFilesMaxIn } from './connection-limit.ts';

test('a process has connections for half of its files, or for all but 1,024, up to 200,000', () => {
  const limits = 'Limit  Soft Limit  Hard Limit  Units\nMax open files            20000   20000   files\n';
  expect(openFilesMaxIn(limits)).toBe(20_000);
  expect(openFilesMaxIn('Max open files  unlimited  unlimited  files')).toBe(Infinity);
  expect([600, 2048, 20_000, Infinity].map(connectionsMaxOf)).toEqual([300, 1024, 18_976, 200_000]);
});

const files = 400;

/** Longer than undici's 4 s, so that it is the redirector that closes connections here. */
const keptAlive = { keepAliveTimeout: 60_000, keepAliveMaxTimeout: 60_000 };

describe.runIf(process.platform === 'linux' && hasProgram('prlimit') && hasProgram('openssl'))(
  'with more connections than files',
  () => {
    // uWebSockets.js closes idle connections after 10 s: both wait for that at the same time.
    test.concurrent.each(['http', 'https'])(
      'extra connections are closed, and scans are answered and written: %s',
      async (scheme) => {
        const { certFile, keyFile, cert } = await makeCertificate(await temporaryFolder());
        const tls = { TLS_CERT: certFile, TLS_KEY: keyFile, QR_HOST: 'https://localhost' };
        const instance = await createInstance({
          REDIRECTOR_WORKERS: '1',
          // A busy machine takes longer than the default, which would be logged as an error.
          SPOOL_WRITE_TIMEOUT_MS: '60000',
          ...(scheme === 'https' && tls),
        });
        const record = createRecord();
        await instance.publish(record);
        const redirector = await instance.start({}, ['prlimit', `--nofile=${files}:${files}`]);
        const port = Number(new URL(instance.url).port);
        let answered = 0;
        const scanBy = async (agent: Agent): Promise<unknown> => {
          const { statusCode, headers, body } = await request(
            `${scheme}://localhost:${port}/r/${record.id}`,
            {
              dispatcher: agent,
              headers: { 'user-agent': phone },
            },
          );
          await body.dump();
          expect(statusCode).toBe(302);
          answered++;
          return headers.connection;
        };
        const newAgent = (): Agent =>
          new Agent({ ...keptAlive, connections: 1, connect: { ca: cert, family: 4 } });
        const kept = newAgent();
        afterFile(() => kept.destroy());
        const closings: Promise<unknown>[] = [];
        const connectMany = (): void => {
          const sockets = Array.from({ length: 2 * files }, () => net.connect(port, '127.0.0.1'));
          afterFile(() => sockets.map((socket) => socket.destroy()));
          for (const socket of sockets) {
            socket.on('error', () => socket.destroy()).resume(); // A reset is an end too.
            closings.push(once(socket, 'close'));
          }
        };
        const refused = async () => (await redirector.metric('connections_refused_total')) ?? 0;
        // Idle connections close after 10 s, which may not be enough on a busy machine: try again.
        await vi.waitFor(
          async () => {
            expect(await scanBy(kept)).toBe(undefined);
            const before = await refused();
            connectMany();
            await eventually(async () => expect(await refused()).toBeGreaterThanOrEqual(before + files));
            expect(await redirector.metric('connections')).toBeLessThanOrEqual(files / 2);
            expect(await scanBy(kept)).toBe('close');
          },
          { timeout: 90_000 },
        );
        expect(fs.readdirSync(`/proc/${redirector.pid}/fd`).length).toBeLessThan(files);

        await Promise.all(closings);
        const fresh = newAgent();
        await scanBy(fresh);
        await fresh.destroy();
        const warnings = redirector.log.filter(({ msg }) =>
          /^connections are refused: .*ulimit -n/.test(msg),
        );
        expect(warnings).toContainEqual(expect.objectContaining({ connectionsMax: files / 2 }));
        expect(warnings.length).toBeLessThan(5);
        expect(redirector.log.filter(({ level }) => Number(level) > 40)).toEqual([]);
        expect(redirector.log.map(({ msg }) => msg)).not.toContain(
          'spool cannot write: scans are kept in memory, and verifications refused',
        );
        const totals = () => totalsOf(instance.clickhouseUrl);
        await eventually(async () => expect(await totals()).toEqual(totalsFor(answered)));
        redirector.kill('SIGTERM');
        expect(await redirector.exited).toBe(0);
        expect(await totals()).toEqual(totalsFor(answered));
      },
    );
  },
);
