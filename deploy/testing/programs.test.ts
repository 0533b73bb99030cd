import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { temporaryFolder } from './local.ts';

const programsFile = new URL('./programs.ts', import.meta.url).href;

/** Asks for the programs while neither they nor apt can be found by name. */
const ensureWithout = async (required: boolean) => {
  const code = `const { ensurePrograms } = await import('${programsFile}'); await ensurePrograms({ required: ${required} })`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    env: { PATH: await temporaryFolder() },
  });
};

test('if no test may be skipped, a missing program fails the run with a line that names it', async () => {
  const { status, stderr } = await ensureWithout(true);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^Error: .*ZBar \(zbarimg\), poppler \(pdftoppm\), nginx, HAProxy, Caddy, OpenSSL \(openssl\): missing, .*install the packages .*zbar-tools poppler-utils nginx haproxy caddy openssl/m,
  );
});

test('otherwise a line says which tests are skipped', async () => {
  const { status, stderr } = await ensureWithout(false);
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^tests are skipped that need .*ZBar \(zbarimg\), poppler \(pdftoppm\), nginx, HAProxy, Caddy, OpenSSL \(openssl\)$/m,
  );
});
