/** A process that scans units as phones do: a request that gets no verdict is made again, at the other redirector. */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '#schemas/verification.ts';
import { hasCode } from '#shared/errors.ts';
import type { UnitAnswers } from './judge.ts';
import type { Errand, Report } from './scans.ts';

/** A redirector that is killed and started again is away for some seconds, and so are claims while Redis settles. */
const attemptsMax = 600;
const pauseMs = 200;
const answerMsMax = 15_000;
const reportEvery = 50;
const unexpectedMax = 10;

type Outcome = keyof UnitAnswers | 'notSent' | { unexpected: string };

const userAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';

const outcomeOf = (status: number, body: string): Outcome => {
  if (status === 503) return 'unavailable';
  const { verdict } = JSON.parse(body) as { verdict?: Verdict };
  if (status === 200 && verdict === 'authentic') return 'first';
  if (status === 200 && verdict === 'already_scanned') return 'again';
  return { unexpected: `${status} ${body.slice(0, 200)}` };
};

/** One request. A connection that was refused has sent nothing. */
const ask = (agent: http.Agent, url: string, address: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const headers = { accept: 'application/json', 'user-agent': userAgent, 'x-forwarded-for': address };
    const request = http.get(url, { agent, headers, timeout: answerMsMax }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.once('error', () => resolve('broken'));
      response.once('end', () => resolve(outcomeOf(response.statusCode ?? 0, body)));
    });
    request.once('timeout', () => request.destroy());
    request.once('error', (error) => resolve(hasCode(error, 'ECONNREFUSED') ? 'notSent' : 'broken'));
  });

const tell = (report: Report): void => void process.send?.(report);

const run = async ({ origins, scans, units, parallel, scanner }: Errand): Promise<void> => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: parallel });
  const answers = Array.from(
    { length: units },
    (): UnitAnswers => ({ first: 0, again: 0, unavailable: 0, broken: 0 }),
  );
  const unexpected: string[] = [];
  let [next, requests, done, givenUp] = [0, 0, 0, 0];

  /** Each request comes from an IPv6 network of its own: this test tests no limit. */
  const newAddress = (): string => {
    const request = requests++;
    return `2001:db8:${((scanner << 8) | (request >>> 16)).toString(16)}:${(request & 0xffff).toString(16)}::1`;
  };

  /** @returns whether it has a verdict */
  const attempt = async (unit: number, url: string): Promise<boolean> => {
    const outcome = await ask(agent, url, newAddress());
    if (outcome === 'notSent') return false;
    if (typeof outcome === 'object') {
      if (unexpected.length < unexpectedMax) unexpected.push(outcome.unexpected);
      return true;
    }
    answers[unit]![outcome]++;
    return outcome === 'first' || outcome === 'again';
  };

  const scan = async (unit: number, path: string): Promise<void> => {
    for (let tries = 0; tries < attemptsMax; tries++) {
      if (await attempt(unit, origins[(unit + scanner + tries) % origins.length] + path)) return;
      await sleep(pauseMs * (0.5 + Math.random()));
    }
    givenUp++;
  };

  const scanAll = async (): Promise<void> => {
    for (let entry = scans[next++]; entry; entry = scans[next++]) {
      await scan(...entry);
      if (++done % reportEvery === 0) tell({ kind: 'progress', done: reportEvery });
    }
  };

  await Promise.all(Array.from({ length: parallel }, scanAll));
  agent.destroy();
  process.send?.({ kind: 'end', answers, givenUp, unexpected } satisfies Report, () => process.disconnect());
};

process.once('message', (errand: Errand) => void run(errand));
