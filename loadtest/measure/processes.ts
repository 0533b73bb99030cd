/**
 * CPU times and memory of processes, from /proc (proc(5)), so on Linux only: the kernel's own accounting, which is the same for
 * servers in any language, and right also if others take the core away.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { hasCode } from '#shared/errors.ts';

/** Clock ticks a second in /proc: USER_HZ, 100 on every architecture that Node runs on. */
const ticksPerSecond = 100;

/** The CPU times of a process in /proc/{pid}/stat. */
export interface ProcessStat {
  /** User time of all its threads. */
  userMs: number;
  systemMs: number;
  /** User and system time of its children that have ended and been waited for. */
  endedChildrenMs: number;
}

/** @param text of /proc/{pid}/stat. @throws {Error} for any other text */
export const parseStat = (text: string): ProcessStat => {
  // The name is in brackets and may hold anything, so the fields are counted after the last one.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  // Fields 14 to 17 of proc(5); the slice begins with field 3.
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15);
  if ([user, system, childrenUser, childrenSystem].some((value) => !Number.isInteger(value))) {
    throw new Error(`not the stat of a process: ${text.slice(0, 80)}`);
  }
  const toMs = (ticks: number) => (ticks * 1000) / ticksPerSecond;
  return {
    userMs: toMs(user!),
    systemMs: toMs(system!),
    endedChildrenMs: toMs(childrenUser! + childrenSystem!),
  };
};

/** @param text of /proc/{pid}/status. @returns bytes; 0 if there is no such line, as for a kernel thread */
export const parseResident = (text: string, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1024;

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

/** A process and everything below it. A child that ends meanwhile is counted by its parent (endedChildrenMs). */
export const treeOf = (pid: number): number[] => {
  try {
    return [pid, ...childrenOf(pid).flatMap(treeOf)];
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return [];
    throw error;
  }
};

/** Milliseconds of CPU, user and system, that a process, its threads and its children have taken so far. */
export const cpuMsOf = (pid: number): number =>
  treeOf(pid)
    .map((each) => parseStat(readFileSync(`/proc/${each}/stat`, 'utf8')))
    .reduce((sum, { userMs, systemMs, endedChildrenMs }) => sum + userMs + systemMs + endedChildrenMs, 0);

/** Resident bytes of a process and its children; pages that they share count once for each. */
export const residentBytesOf = (pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number =>
  treeOf(pid)
    .map((each) => parseResident(readFileSync(`/proc/${each}/status`, 'utf8'), field))
    .reduce((sum, bytes) => sum + bytes, 0);

/** The process that holds each client's connection, by the client's port. */
export const processOfClientPorts = (pids: number[]): Map<number, number> => {
  const processOfInode = new Map<string, number>();
  for (const pid of pids) {
    for (const inode of socketInodes(pid)) processOfInode.set(inode, pid);
  }
  const ports = new Map<number, number>();
  for (const { inode, remotePort } of parseTcp(readFileSync('/proc/net/tcp', 'utf8'))) {
    const pid = processOfInode.get(inode);
    if (pid !== undefined) ports.set(remotePort, pid);
  }
  return ports;
};

const socketInodes = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fdinfo`).flatMap((fd) => {
    const inode = /^ino:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1];
    return inode === undefined ? [] : [inode];
  });

/** @param text of /proc/net/tcp */
export const parseTcp = (text: string): { inode: string; remotePort: number }[] =>
  text
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const fields = line.trim().split(/\s+/);
      return { inode: fields[9]!, remotePort: Number.parseInt(fields[2]!.split(':')[1]!, 16) };
    });
