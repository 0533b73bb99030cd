/** Checks that the ports of the planes' listeners are free, before anything starts. */
import type { Settings } from '#shared/config.ts';
import { StartError } from '../child/part.ts';
import { whyNotFree } from './ports.ts';

const remedyOf = (reason: string, variable: string): string => {
  if (reason === 'EADDRINUSE') return `is taken (${variable}): stop what listens there, or set ${variable}`;
  if (reason === 'EACCES')
    return `is not allowed to this user (${variable}): set ${variable} to 1024 or more`;
  return `cannot be listened on (${variable}, ${reason}): check HOST and INTERNAL_HOST, or set ${variable}`;
};

/**
 * The redirector shares its port between processes (SO_REUSEPORT), and would not notice another program there.
 * @throws {StartError} naming the first port that is not free, its variable and the remedy
 */
export const checkListeners = async (settings: Settings): Promise<void> => {
  const { controlPlane, redirector, host, internalHost } = settings;
  const listeners = [
    ['CONTROL_PLANE_PORT', controlPlane.port, host],
    ['CONTROL_PLANE_INTERNAL_PORT', controlPlane.internalPort, internalHost],
    ['REDIRECTOR_PORT', redirector.port, host],
    ['REDIRECTOR_INTERNAL_PORT', redirector.internalPort, internalHost],
    ['REDIRECTOR_HTTP10_PORT', redirector.http10Port, host],
  ] as const;
  for (const [variable, port, address] of listeners) {
    if (port === undefined) continue;
    const reason = await whyNotFree(port, address);
    if (reason !== undefined) throw new StartError(`port ${port} ${remedyOf(reason, variable)}`);
  }
};
