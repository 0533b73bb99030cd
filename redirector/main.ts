/**
 * The redirector's process. With one worker it redirects itself. With more it is their primary: it starts that many
 * processes, which share the public port (SO_REUSEPORT), restarts dead ones, and answers for all of them on the
 * internal port.
 */
import './process/hangup.ts';

// A module's imports are all loaded before it runs; until then a SIGHUP would end the process. Hence this order.
await import('./process/start.ts');
