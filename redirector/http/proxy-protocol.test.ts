/**
 * The PROXY protocol from trusted proxies, from strangers, and from clients behind a proxy that passes bytes on
 * unchanged.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { parseAddress } from '#shared/networks.ts';
import { afterFile, freePort, temporaryFolder } from '../../deploy/testing/local.ts';
import { hasProgram } from '../../deploy/testing/programs.ts';
import { eventually } from '../testing/eventually.ts';
import { createRecord, phone, startTestRedirector, type TestRedirector } from '../testing/redirector.ts';

/** uWebSockets.js closes connections idle for 10 s, and checks every 4 s; the machine may be busy. */
const closedWithinMs = 60_000;

const germany = 'https://example.com/de';
const german = '91.0.0.1'; // German in DB-IP's table
const german6 = '2003:c0::1';
const american = '8.8.8.8';

const ruled = (): CodeRecord =>
  createRecord({ rules: [{ id: 'de', condition: { country: ['DE'] }, destination: germany }] });

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

/** Commands (with version 2) and families of the protocol. */
const [local, proxied] = [0x20, 0x21];
const [unspecified, tcp4, udp4, tcp6, unix] = [0x00, 0x11, 0x12, 0x21, 0x31];

const headerOf = (command: number, family: number, body: Buffer, length = body.length): Buffer => {
  const head = Buffer.from([command, family, length >> 8, length & 255]);
  return Buffer.concat([signature, head, body]);
};

/** Source, destination and ports. @param rest further bytes, such as TLVs */
const addresses = (source: string, rest: Buffer = Buffer.alloc(0)): Buffer => {
  const bytes = Buffer.from(parseAddress(source)!.toByteArray());
  return Buffer.concat([bytes, bytes, Buffer.from([0x1f, 0x90, 0x01, 0xbb]), rest]);
};

const headerFor = (source: string): Buffer =>
  headerOf(proxied, source.includes(':') ? tcp6 : tcp4, addresses(source));

interface Answered {
  /** Of all answers; the statuses of those without a redirect. */
  locations: string[];
  closed: boolean;
  connectionHeader: boolean;
}

describe.runIf(process.platform === 'linux')('a PROXY header', () => {
  let waymark: TestRedirector;
  let code: CodeRecord;

  const requestOf = (...lines: string[]): Buffer =>
    Buffer.from(
      [`GET /r/${code.id} HTTP/1.1`, 'Host: x', `User-Agent: ${phone}`, ...lines, '', ''].join('\r\n'),
    );

  /**
   * Sends the parts, each once the previous one is answered or, if it is not a whole request, has had time to be read.
   * @returns after this many answers, or at the end
   */
  const send = async (
    parts: readonly Buffer[],
    { from = '127.0.0.1', port = waymark.config.redirector.port, answers = 1 } = {},
  ): Promise<Answered> => {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
    afterFile(() => socket.destroy());
    let text = '';
    socket.on('error', () => socket.destroy()); // A reset is an end too.
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    const untilAnswered = async (count: number): Promise<void> => {
      const deadline = Date.now() + closedWithinMs;
      const answered = () => text.split('\r\n\r\n').length - 1;
      while (!socket.closed && answered() < count && Date.now() < deadline) await sleep(5);
    };
    let sent = 0;
    for (const [n, part] of parts.entries()) {
      socket.write(part);
      if (n === parts.length - 1) break;
      if (part.includes('HTTP/1.1')) await untilAnswered(++sent);
      else await sleep(50);
    }
    await untilAnswered(answers);
    // A connection that closes with its answer does so right after it.
    if (/^connection: close/im.test(text) && !socket.closed) await once(socket, 'close');
    const heads = text.split('HTTP/1.1 ').slice(1);
    const result = {
      locations: heads.map((head) => /^location: (.*)\r$/im.exec(head)?.[1] ?? head.slice(0, 3)),
      closed: socket.closed,
      connectionHeader: /^connection: close/im.test(text),
    };
    socket.destroy();
    return result;
  };

  const start = async (environment: Record<string, string>): Promise<void> => {
    waymark = await startTestRedirector(environment);
    await waymark.connected();
    code = ruled();
    await waymark.publish(code);
  };

  describe('if PROXY_PROTOCOL is not set', () => {
    beforeAll(() => start({ TRUSTED_PROXIES: '127.0.0.1' }));

    test.each(['127.0.0.1', '127.0.0.2'])('changes nothing, from any sender: %s', async (from) => {
      const kept = await send([headerFor(german), requestOf()], { from });
      expect(kept).toEqual({ locations: [code.destination], closed: false, connectionHeader: false });
      const second = await send([requestOf(), Buffer.concat([headerFor(german), requestOf()])], {
        from,
        answers: 2,
      });
      expect(second.locations).toEqual([code.destination, code.destination]);
    });
  });

  describe('if PROXY_PROTOCOL is set', () => {
    let http10Port: number;

    beforeAll(async () => {
      http10Port = await freePort();
      await start({
        TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
        PROXY_PROTOCOL: 'true',
        COUNTRY_HEADER: 'CF-IPCountry',
        REDIRECTOR_HTTP10_PORT: String(http10Port),
      });
    });

    const sentTo = async (...parts: Buffer[]): Promise<string[]> => (await send(parts)).locations;

    test.each([
      ['of TCP over IPv4', headerFor(german)],
      ['of UDP over IPv4', headerOf(proxied, udp4, addresses(german))],
      ['of TCP over IPv6', headerFor(german6)],
      ['with an extension of 24 bytes', headerOf(proxied, tcp4, addresses(german, Buffer.alloc(24)))],
    ])('of a trusted proxy names the client: %s', async (_kind, header) => {
      expect(await sentTo(Buffer.concat([header, requestOf()]))).toEqual([germany]);
    });

    test.each([1, 5, 13, 16, 27])(
      'that comes in two parts names the client: cut after byte %i',
      async (at) => {
        const header = headerFor(german);
        expect(
          await sentTo(header.subarray(0, at), Buffer.concat([header.subarray(at), requestOf()])),
        ).toEqual([germany]);
      },
    );

    test('gives each of its clients a limit, and IPv6 clients one per /64', async () => {
      const left = async (source: string): Promise<number> => {
        const socket = net.connect({ port: waymark.config.redirector.port, host: '127.0.0.1' });
        socket.write(Buffer.concat([headerFor(source), requestOf()]));
        let text = '';
        for await (const chunk of socket) text += chunk;
        return Number(/remaining=(\d+)/.exec(text)![1]);
      };
      let networks = 0;
      // The clock minute may end between two of them: try again, with other addresses.
      await eventually(async () => {
        networks++;
        for (const [one, same, another] of [
          [`192.0.2.${networks}`, `192.0.2.${networks}`, `198.51.100.${networks}`],
          [`2001:db8:${networks}::1`, `2001:db8:${networks}::2`, `2001:db8:${networks}:1::1`],
        ] as const) {
          const first = await left(one);
          expect([await left(same), await left(another)]).toEqual([first - 1, first]);
        }
      });
    });

    test('its connection closes after the answer, so that no client adds a header before its next request', async () => {
      const second = Buffer.concat([headerFor(german), requestOf()]);
      const first = Buffer.concat([headerFor(american), requestOf()]);
      expect(await send([first, second], { answers: 2 })).toEqual({
        locations: [code.destination],
        closed: true,
        connectionHeader: true,
      });
      // Both at once: uWebSockets.js closes a connection whose next request arrives before the answer.
      expect(await sentTo(Buffer.concat([first, second]))).not.toContain(germany);
      // Also if the first answer is a page.
      const page = Buffer.concat([
        headerFor(american),
        Buffer.from('GET /r/bad HTTP/1.1\r\nHost: x\r\n\r\n'),
      ]);
      expect(await sentTo(Buffer.concat([page, second]))).not.toContain(germany);
    });

    test.each([
      ['LOCAL, as a proxy checks with', headerOf(local, unspecified, Buffer.alloc(0))],
      ['of no family', headerOf(proxied, unspecified, Buffer.alloc(0))],
      ['left out', Buffer.alloc(0)],
    ])("without an address keeps the proxy's: %s", async (_kind, header) => {
      expect(await sentTo(Buffer.concat([header, requestOf()]))).toEqual([code.destination]);
    });

    // Concurrent: both wait for uWebSockets.js to close idle connections.
    test.concurrent('a second one before the first request is not read: its connection closes unanswered', async () => {
      const [first, second] = [headerFor(american), headerFor(german)];
      const tries = [
        [Buffer.concat([first, second, requestOf()])],
        [first, Buffer.concat([second, requestOf()])],
        [first, second, requestOf()],
        [first.subarray(0, 20), Buffer.concat([first.subarray(20), second]), requestOf()],
      ];
      const answers = await Promise.all(tries.map((parts) => send(parts)));
      expect(answers).toEqual(tries.map(() => ({ locations: [], closed: true, connectionHeader: false })));
    });

    test.concurrent('a malformed one costs its connection', async () => {
      const wrong: Record<string, Buffer> = {
        truncated: headerFor(german).subarray(0, 20),
        'of another version': Buffer.concat([headerOf(0x11, tcp4, addresses(german)), Buffer.alloc(40)]),
        'with more than 36 bytes after its first 16': headerOf(
          proxied,
          tcp4,
          addresses(german, Buffer.alloc(25)),
        ),
        'of UNIX sockets': headerOf(proxied, unix, Buffer.alloc(216, 0x2f)),
        'longer than what is read': headerOf(proxied, tcp4, addresses(german), 60_000),
        'shorter than it says': headerOf(proxied, tcp4, addresses(german), 16),
        'longer than it says': headerOf(proxied, tcp4, addresses(german), 8),
        'of version 1': Buffer.from(`PROXY TCP4 ${german} 127.0.0.1 8080 443\r\n`),
      };
      const answers = Object.entries(wrong).map(async ([kind, header]) => {
        const { locations, closed } = await send([Buffer.concat([header, requestOf()])]);
        // A header taken for HTTP/1.0 is refused.
        const status = locations.join() || 'none';
        return [kind, closed && ['none', '400', '431', '505'].includes(status)];
      });
      expect(await Promise.all(answers)).toEqual(Object.keys(wrong).map((kind) => [kind, true]));
    });

    test('a connection from elsewhere closes without an answer, which is logged once', async () => {
      const closings = () => waymark.logged().filter(({ peer }) => peer === '127.0.0.2');
      expect(closings()).toEqual([]);
      for (const header of [headerFor(german), Buffer.alloc(0)])
        for (let n = 0; n < 5; n++)
          expect(await send([Buffer.concat([header, requestOf()])], { from: '127.0.0.2' })).toEqual({
            locations: [],
            closed: true,
            connectionHeader: false,
          });
      expect(closings()).toEqual([
        {
          level: 'warn',
          peer: '127.0.0.2',
          msg: expect.stringMatching(
            /^a connection from 127\.0\.0\.2 is closed: .*PROXY_PROTOCOL.*TRUSTED_PROXIES/,
          ),
        },
      ]);
      expect(await sentTo(Buffer.concat([headerFor(german), requestOf()]))).toEqual([germany]);
    });

    test('HTTP headers are trusted if it names a trusted proxy, and from no other client', async () => {
      const lines = [`X-Forwarded-For: ${german}`, 'CF-IPCountry: DE'];
      expect(await sentTo(Buffer.concat([headerFor(american), requestOf(...lines)]))).toEqual([
        code.destination,
      ]);
      expect(await sentTo(Buffer.concat([headerFor('10.1.2.3'), requestOf(...lines)]))).toEqual([germany]);
    });

    test("is not spoken on REDIRECTOR_HTTP10_PORT, where a trusted proxy's X-Forwarded-For counts", async () => {
      const to = { port: http10Port };
      expect((await send([Buffer.concat([headerFor(german), requestOf()])], to)).locations).toEqual(['400']);
      expect((await send([requestOf(`X-Forwarded-For: ${german}`)], to)).locations).toEqual([germany]);
    });

    test.runIf(hasProgram('haproxy'))(
      'of HAProxy names the client, and a header of the client’s own does not',
      async () => {
        const folder = await temporaryFolder();
        const [http, tcp] = [await freePort(), await freePort()];
        const server = `server redirector 127.0.0.1:${waymark.config.redirector.port} send-proxy-v2 source 127.0.0.1`;
        const section = (mode: string, port: number) =>
          `listen ${mode}\n  mode ${mode}\n  bind 127.0.0.1:${port}\n  ${server}\n`;
        const file = path.join(folder, 'haproxy.cfg');
        const timeouts = 'defaults\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\n';
        fs.writeFileSync(file, timeouts + section('http', http) + section('tcp', tcp));
        const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
        afterFile(async () => {
          const exited = once(child, 'exit');
          child.kill('SIGTERM');
          await exited;
        });
        const lie = Buffer.concat([headerFor(german), requestOf(`X-Forwarded-For: ${german}`)]);
        for (const port of [http, tcp]) {
          await eventually(async () =>
            expect((await send([requestOf()], { port })).locations).toEqual([code.destination]),
          );
          const { locations } = await send([requestOf(`X-Forwarded-For: ${german}`), lie], {
            port,
            from: '127.0.0.3',
            answers: 2,
          });
          expect(locations).toContain(code.destination);
          expect(locations).not.toContain(germany);
        }
      },
    );
  });
});
