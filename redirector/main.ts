/**
 * The redirector's process. With one worker it redirects itself. With more it is their primary: it starts that many processes,
 * which share the public port (SO_REUSEPORT), restarts those that die, and answers for all of them on the internal port.
 */
import './process/hangup.ts';

// All that a module imports is loaded before it runs: a SIGHUP meanwhile would end the process.
await import('./process/start.ts');
