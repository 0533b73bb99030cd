/**
 * What a test file needs of its own machine: folders, ports, an end. None of it needs a server, so that a file which
 * takes only these does not wait for PostgreSQL, Redis and ClickHouse (projects.ts). Databases come from index.ts.
 */
export { afterFile } from './after-file.ts';
export { freePort } from './free-port.ts';
export { programEnvironment } from './program-environment.ts';
export { temporaryFolder } from './temporary-folder.ts';
