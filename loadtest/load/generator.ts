/** Starts the load generator, a process of its own. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadCore, onCore } from '../measure/pinning.ts';
import { type GeneratorOptions, type GeneratorResult, generatorResult } from './generator-options.ts';

const program = fileURLToPath(new URL('generator-main.ts', import.meta.url));

const outputOf = async (command: string, args: string[]): Promise<string> => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return output;
};

/**
 * @param cores where it runs; by default the load's core
 * @throws {Error} if a request failed: an average over errors would mean nothing
 */
export const runGenerator = async (
  options: GeneratorOptions,
  cores: number | string = loadCore,
): Promise<GeneratorResult> => {
  const [command, args] = onCore(cores, process.execPath, [program, JSON.stringify(options)]);
  const result = generatorResult.parse(JSON.parse(await outputOf(command, args)));
  if (result.failed > 0) {
    throw new Error(`${result.failed} requests failed after ${result.counted} answers: ${result.failure}`);
  }
  return result;
};
