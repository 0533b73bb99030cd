import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createLogoPreparation } from './logo-preparation.ts';

const logo = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
).toString('base64');

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const preparationUrl = new URL('./logo-preparation.ts', import.meta.url).href;

/** A program that prepares a logo, prints the id of the process that did it, and keeps running. */
const program = `
  const { createLogoPreparation } = await import(${JSON.stringify(preparationUrl)});
  const preparation = createLogoPreparation();
  await preparation.prepare(${JSON.stringify(logo)}, 64, 'tenant');
  console.log(preparation.pids().join());
  setInterval(() => {}, 1000);
`;

describe('a process for logos', () => {
  it('is started once, survives between two logos, and ends with its pool', async () => {
    const preparation = createLogoPreparation();
    expect(preparation.pids()).toEqual([]);
    await preparation.prepare(logo, 64, 'tenant');
    const [pid] = preparation.pids();
    await preparation.prepare(logo, 1000, 'tenant');
    expect(preparation.pids()).toEqual([pid]);
    preparation.close();
    await expect.poll(() => lives(pid!)).toBe(false);
    await expect(preparation.prepare(logo, 400, 'tenant')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('is replaced if killed', async () => {
    const preparation = createLogoPreparation();
    await preparation.prepare(logo, 64, 'tenant');
    const [pid] = preparation.pids();
    process.kill(pid!, 'SIGKILL');
    await expect.poll(() => preparation.pids()).toEqual([]);
    expect((await preparation.prepare(logo, 1000, 'tenant')).width).toBe(1024);
    expect(preparation.pids()).not.toContain(pid);
    preparation.close();
  });

  it('does not outlive a killed parent', async () => {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(said.toString());
    expect(lives(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => lives(pid)).toBe(false);
  });

  it.skipIf(!existsSync('/proc/self/limits'))(
    'has a memory limit, and no secret in its environment',
    async () => {
      const preparation = createLogoPreparation();
      await preparation.prepare(logo, 64, 'tenant');
      const [pid] = preparation.pids();
      expect(await readFile(`/proc/${pid}/limits`, 'utf8')).toMatch(/Max data size +1073741824 /);
      const names = (await readFile(`/proc/${pid}/environ`, 'utf8'))
        .split('\0')
        .map((each) => each.split('=')[0]);
      expect(names.filter((name) => /KEY|URL|SECRET|TOKEN/.test(name!))).toEqual([]);
      preparation.close();
    },
  );
});
