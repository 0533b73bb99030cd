/** The machine and the build behind the figures. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { canPin } from './pinning.ts';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  kernel: string;
  node: string;
  commit: string;
  pinned: boolean;
}

const outputOf = (command: string, args: string[]): string =>
  spawnSync(command, args, { encoding: 'utf8' }).stdout?.trim() ?? '';

/** The names of EPYC and its like differ too little: family, model and stepping are added. */
const describeCpu = (): string => {
  const info = readFileSync('/proc/cpuinfo', 'utf8');
  const field = (name: string) => new RegExp(`^${name}\\s*: (.*)$`, 'm').exec(info)?.[1];
  const name = os.cpus()[0]?.model ?? 'unknown';
  const family = field('cpu family');
  return family ? `${name} (family ${family}, model ${field('model')}, stepping ${field('stepping')})` : name;
};

export const describeMachine = (): Machine => ({
  cpu: describeCpu(),
  // Not availableParallelism: this process is on one core.
  cores: os.cpus().length,
  memoryGb: Math.round(os.totalmem() / 2 ** 30),
  kernel: os.release(),
  node: process.versions.node,
  commit: outputOf('git', ['describe', '--always', '--dirty']),
  pinned: canPin(),
});
