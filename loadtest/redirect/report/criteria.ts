/** The figures that the redirector's load test promises. */
import type { Criterion } from '../../report/judge.ts';

export const criteria = [
  {
    id: 'cpuNginx',
    title: 'CPU per redirect against nginx doing the same job',
    better: 'lower',
    must: 0.75,
    aim: 0.6,
    unit: '×',
  },
  {
    id: 'cpuBare',
    title: 'CPU per redirect against bare uWS',
    better: 'lower',
    must: 1.6,
    aim: 1.25,
    unit: '×',
  },
  {
    id: 'cpuNginxUnlimited',
    title: 'the same against nginx without a limit (map + log)',
    better: 'lower',
    unit: '×',
  },
  { id: 'kutt', title: 'throughput against Kutt', better: 'higher', must: 40, aim: 60, unit: '×' },
  {
    id: 'p99Bare',
    title: 'p99 at half load against bare uWS at the same rate',
    better: 'lower',
    must: 1.5,
    aim: 1.2,
    unit: '×',
  },
  {
    id: 'misses',
    title: 'memory miss, Redis hit: throughput against a memory hit',
    better: 'higher',
    must: 0.3,
    aim: 0.5,
    unit: '×',
  },
  {
    id: 'million',
    title: 'one million codes held in memory: RSS',
    better: 'lower',
    must: 600,
    aim: 350,
    unit: ' MB',
  },
  {
    id: 'routing',
    title: 'a routed + A/B code against a plain one, CPU',
    better: 'lower',
    must: 1.15,
    aim: 1.05,
    unit: '×',
  },
  {
    id: 'update',
    title: 'PUT to the new destination on four processes under load, p99',
    better: 'lower',
    must: 100,
    aim: 20,
    unit: ' ms',
  },
  {
    id: 'lost',
    title: 'acknowledged scans lost over kill -9 under full load',
    better: 'lower',
    must: 0,
    aim: 0,
    unit: '',
  },
  {
    id: 'twice',
    title: 'scans counted twice over kill -9 under full load',
    better: 'lower',
    must: 0,
    aim: 0,
    unit: '',
  },
  {
    id: 'events',
    title: 'events into embedded ClickHouse, sustained while redirecting',
    better: 'higher',
    must: 20_000,
    aim: 50_000,
    unit: '/s',
  },
] as const satisfies readonly Criterion[];

export type CriterionId = (typeof criteria)[number]['id'];
