/**
 * The day's salt on the machine's memory disk, so that a lone redirector can restart without counting its visitors twice.
 * A memory disk is memory: nothing is appended there, and a power loss forgets it. The file is removed at the end of the
 * day or, where no process was left to remove it, at the next start.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Logger } from '#shared/logger.ts';

export interface NamedSalt {
  day: number;
  name: string;
  salt: Buffer;
}

export interface SaltMemory {
  /** @returns undefined where there is none. The salt of another day is removed. */
  read(day: number): NamedSalt | undefined;
  /** Never fails: without the file a restart only counts the visitors of the day twice. */
  write(salt: NamedSalt): void;
  erase(): void;
}

const memoryDisk = '/dev/shm';
/** TMPFS_MAGIC of statfs(2). */
const tmpfsType = 0x01021994;

const file = z.object({
  day: z.number(),
  name: z.string().max(64),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
});

const memoryDiskOf = (folder: string): string | undefined =>
  fs.existsSync(folder) && fs.statfsSync(folder).type === tmpfsType ? folder : undefined;

/**
 * Where the processes of a data folder keep their salt.
 * @param runtimeDir undefined: the machine's memory disk
 * @returns undefined on a machine without one
 */
export const saltFileOf = (dataDir: string, runtimeDir: string | undefined): string | undefined => {
  const folder = runtimeDir ?? memoryDiskOf(memoryDisk);
  const id = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return folder && path.join(folder, `waymark-salt-${process.getuid?.() ?? 0}-${id}`);
};

/** Forgets a salt for good: the bytes are overwritten first, since others may have the file open. */
const eraseFile = (name: string): void => {
  if (!fs.existsSync(name)) return;
  fs.writeFileSync(name, Buffer.alloc(fs.statSync(name).size));
  fs.rmSync(name, { force: true });
};

/** Whether nobody but this user could have written the file. */
const isOwn = (name: string): boolean => {
  const stat = fs.lstatSync(name);
  return stat.isFile() && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0;
};

/** @param name undefined keeps nothing */
export const createSaltMemory = (name: string | undefined, logger: Logger): SaltMemory => {
  const attempt = <T>(work: (name: string) => T): T | undefined => {
    try {
      return name === undefined ? undefined : work(name);
    } catch (error) {
      logger.debug({ err: error, file: name }, 'the visitor salt is not on the memory disk');
      return undefined;
    }
  };
  const erase = (): void => void attempt(eraseFile);

  return {
    read: (day) =>
      attempt((kept) => {
        if (!fs.existsSync(kept) || !isOwn(kept)) return undefined;
        const found = file.parse(JSON.parse(fs.readFileSync(kept, 'utf8')));
        if (found.day === day) return { ...found, salt: Buffer.from(found.salt, 'hex') };
        erase();
        return undefined;
      }),
    write: ({ salt, ...named }) =>
      void attempt((kept) => {
        const next = `${kept}.${process.pid}`;
        fs.rmSync(next, { force: true });
        fs.writeFileSync(next, JSON.stringify({ ...named, salt: salt.toString('hex') }), {
          flag: 'wx',
          mode: 0o600,
        });
        fs.renameSync(next, kept);
      }),
    erase,
  };
};
