/** A small disk that a test mounts, and may freeze, fill, or make read-only. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterFile, temporaryFolder } from './local.ts';

/** Mounting needs root, and a kernel that lets a container do so. */
export const canMount = ((): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('sh', ['-c', 'command -v mkfs.ext4 && command -v fsfreeze && test -e /dev/loop-control']);
    return true;
  } catch {
    return false;
  }
})();

export const run = (command: string, ...args: string[]): void =>
  void execFileSync(command, args, { stdio: 'pipe' });

/** @returns the folder of a mounted ext4 */
export const mountDisk = async (megabytes = 4): Promise<string> => {
  const home = await temporaryFolder();
  const [image, disk] = [path.join(home, 'image'), path.join(home, 'disk')];
  fs.writeFileSync(image, '');
  fs.truncateSync(image, megabytes * 2 ** 20);
  fs.mkdirSync(disk);
  run('mkfs.ext4', '-q', '-O', '^has_journal', image);
  run('mount', '-o', 'loop,errors=remount-ro', image, disk);
  afterFile(() => run('umount', '-l', disk));
  return disk;
};

/** Makes a disk fail: until it is mounted again, the kernel lets nothing be written to it, also to open files. */
export const failDisk = (disk: string): void => {
  const device = execFileSync('findmnt', ['-no', 'SOURCE', disk], { encoding: 'utf8' }).trim();
  fs.writeFileSync(`/sys/fs/ext4/${path.basename(device)}/trigger_fs_error`, '1');
};

/** Mounts a failed disk again, writable. None of its files may be open. */
export const mountAgain = (disk: string): void => {
  const image = path.join(path.dirname(disk), 'image');
  run('umount', disk);
  run('mount', '-o', 'loop,errors=remount-ro', image, disk);
};

/** Fills a disk. @returns the file to cut or delete for room */
export const fillDisk = (disk: string): string => {
  const filling = path.join(disk, 'filling');
  const fd = fs.openSync(filling, 'a');
  // A large write may be refused while there is room for a small one.
  for (const bytes of [2 ** 16, 512]) {
    try {
      for (;;) fs.writeSync(fd, Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  fs.closeSync(fd);
  return filling;
};
