/**
 * Measures the control plane as an integrator uses it: one process on a core of its own, everything else on the other one. The
 * figures to keep: a create costs at most a millisecond of CPU, a page of the list takes at most 15 ms at a million codes.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { describeMachine } from '../measure/machine.ts';
import { loadCore, moveToCores } from '../measure/pinning.ts';
import { type ApiEnvironment, apiKey, openEnvironment } from './environment.ts';
import { measureKutt } from './kutt.ts';
import type { Options } from './options.ts';
import { type Round, runRound } from './round.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const secondsOf = (quick: boolean): number => (quick ? 3 : 10);

interface Criterion {
  text: string;
  value: number;
  met: boolean;
}

export const runApiLoadTest = async (options: Options): Promise<void> => {
  // Children inherit this process's core; the control plane is moved to the other one.
  moveToCores(process.pid, String(loadCore));
  console.log(JSON.stringify({ ...describeMachine(), codes: options.codes, quick: options.quick }));
  const environment = await openEnvironment(path.resolve(options.build ?? root), options.codes);
  try {
    const rounds = await measureAll(environment, options);
    if (options.kuttCheckout) {
      rounds.push(await measureKutt(environment, options.kuttCheckout, secondsOf(options.quick)));
    }
    const criteria = criteriaOf(rounds);
    for (const criterion of criteria) console.log(JSON.stringify(criterion));
    // Short rounds are not judged.
    if (!options.quick && criteria.some(({ met }) => !met)) process.exitCode = 1;
  } finally {
    await environment.close();
  }
};

const measureAll = async (environment: ApiEnvironment, { quick, only }: Options): Promise<Round[]> => {
  const seconds = secondsOf(quick);
  const { controlPlane, databaseUrl, ids } = environment;
  const rounds: Round[] = [];
  const id = () => ids[Math.floor(Math.random() * ids.length)]!;
  const body = () => JSON.stringify({ data: `https://example.com/${randomUUID()}`, name: 'Table 7' });
  const json = { 'content-type': 'application/json' };
  const run = async (
    name: string,
    connections: number,
    request: Parameters<typeof runRound>[0]['request'],
  ): Promise<void> => {
    if (!only.some((word) => name.startsWith(word))) return;
    const { url, pid } = controlPlane;
    const headers = { authorization: `Bearer ${apiKey}` };
    const round = await runRound({ name, url, pid, headers, connections, seconds, request });
    console.log(
      JSON.stringify(round, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)),
    );
    rounds.push(round);
  };

  await run('list, one connection', 1, () => ({ method: 'GET', path: '/api/qr/codes?limit=25' }));
  await run('list', 4, () => ({ method: 'GET', path: '/api/qr/codes?limit=25' }));
  await run('list, filtered by status', 4, () => ({
    method: 'GET',
    path: '/api/qr/codes?limit=25&status=inactive',
  }));
  await run('read', 16, () => ({ method: 'GET', path: `/api/qr/codes/${id()}` }));
  await run('create', 16, () => ({ method: 'POST', path: '/api/qr/codes', headers: json, body: body() }));
  await run('create with a Waymark-Idempotency-Key', 16, () => ({
    method: 'POST',
    path: '/api/qr/codes',
    headers: { ...json, 'waymark-idempotency-key': randomUUID() },
    body: body(),
  }));
  const update = () => ({
    method: 'PUT',
    path: `/api/qr/codes/${id()}`,
    headers: json,
    body: JSON.stringify({ destination: `https://example.com/${randomUUID()}` }),
  });
  await run('update, one connection', 1, update);
  await run('update', 16, update);
  // Its answer has the count of scans. ClickHouse has one query at a time, which all waiting updates share.
  await run('update, 64 connections', 64, update);
  // A plan with a quota counts each code in the transaction that makes it.
  await queryOnce(
    databaseUrl,
    `DO $$ BEGIN IF EXISTS (SELECT FROM information_schema.columns WHERE table_name = 'subscriptions' AND column_name = 'limits')
     THEN UPDATE subscriptions SET limits = limits || '{"dynamicQr": 1000000000}'; END IF; END $$`,
  );
  await run('create, counted against a quota', 16, () => ({
    method: 'POST',
    path: '/api/qr/codes',
    headers: json,
    body: body(),
  }));
  return rounds;
};

const criteriaOf = (rounds: readonly Round[]): Criterion[] => {
  const of = (name: string) => rounds.find((round) => round.name === name);
  const create = of('create');
  const list = of('list');
  const kutt = of('Kutt: create');
  const atMost = (text: string, value: number, bound: number): Criterion => ({
    text,
    value,
    met: value <= bound,
  });
  return [
    ...(create ? [atMost('CPU of a create: at most 1 ms', create.cpuMs, 1)] : []),
    ...(list ? [atMost('p99 of a page of the list: at most 15 ms', list.p99Ms, 15)] : []),
    ...(create && kutt
      ? [
          {
            text: 'creates against Kutt: at least 3 ×',
            value: create.perSecond / kutt.perSecond,
            met: create.perSecond >= 3 * kutt.perSecond,
          },
        ]
      : []),
  ];
};
