/** Starts the two planes, the control plane first. */

import { localUrl } from '#shared/config/local-url.ts';
import type { Settings } from '#shared/config.ts';
import { logFileOf } from '../child/part.ts';
import { type PlaneOptions, type Programs, startPlane } from '../parts/planes.ts';
import type { KeptParts } from '../supervision/kept-parts.ts';
import { followLog } from '../terminal/log-follower.ts';
import { withProgress } from '../terminal/terminal.ts';

/** A plane, and the consequences of its absence. */
export interface Plane extends PlaneOptions {
  meanwhile: string;
}

/** The planes in start order. */
export const planesOf = (settings: Settings, programs: Programs, env: NodeJS.ProcessEnv): Plane[] => {
  const { dataDir: home, host, internalHost, shutdownGraceMs: graceMs } = settings;
  const listeners = ({ port, internalPort }: { port: number; internalPort: number }) => ({
    url: localUrl(host, port),
    internalUrl: localUrl(internalHost, internalPort),
  });
  const common = { home, env, graceMs };
  return [
    {
      ...common,
      name: 'control-plane',
      program: programs.controlPlane,
      ...listeners(settings.controlPlane),
      meanwhile: 'codes that are held redirect, and there is no API',
    },
    {
      ...common,
      name: 'redirector',
      program: programs.redirector,
      ...listeners(settings.redirector),
      meanwhile: 'no code redirects',
    },
  ];
};

/**
 * Starts a plane, shows the warnings of its log, and keeps it running.
 * @throws {StartError} if it does not start
 */
export const startAndKeep = async (
  plane: Plane,
  parts: KeptParts,
  say: (line: string) => void,
  onStop: (stop: () => unknown) => void,
): Promise<void> => {
  const { name, home, url, meanwhile } = plane;
  const begunMs = performance.now();
  onStop(followLog(logFileOf(home, name), (line) => say(`${name}: ${line}`)));
  const part = await withProgress(`starting ${name}`, startPlane(plane), say);
  const ms = performance.now() - begunMs;
  parts.keep({ name, part, url, start: () => startPlane(plane), meanwhile, ms });
};
