/** An S3 server for tests, in a process that can be killed. It checks signatures, and keeps its files in a folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterFile, freePort, temporaryFolder } from '../../../../deploy/testing/local.ts';

const program = fileURLToPath(new URL('./s3-server-main.ts', import.meta.url));
const bucket = 'pictures';

export interface TestS3Server {
  /** For STORAGE_URL. */
  url: string;
  kill(): Promise<void>;
  /** With the same address and the same files. */
  start(): Promise<void>;
}

export const startS3Server = async (): Promise<TestS3Server> => {
  const [folder, port] = [await temporaryFolder(), await freePort()];
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [program, folder, String(port), bucket], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await Promise.race([
      once(child.stdout!, 'data'),
      once(child, 'exit').then(() => Promise.reject(new Error('the S3 server did not start'))),
    ]);
  };

  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };

  await start();
  afterFile(kill);
  return { url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}?tls=false`, kill, start };
};
