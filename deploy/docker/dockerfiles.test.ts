/** The Dockerfiles, as far as they can be checked without Docker. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { packageFiles, packageFolders, sourceFiles } from '../bundle/contents.ts';
import { hasProgram } from '../testing/programs.ts';

const root = path.resolve(import.meta.dirname, '../..');

const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');

const planes = { 'control-plane': '3000 3001', redirector: '8080 8081' };

const dockerfileOf = (plane: string): string => read(`deploy/docker/${plane}.Dockerfile`);

/** Its instructions, without comments, each on one line. */
const instructionsOf = (dockerfile: string): string[] =>
  dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');

const stagesOf = (plane: string): [bundle: string[], image: string[]] => {
  const lines = instructionsOf(dockerfileOf(plane));
  const second = lines.findLastIndex((line) => line.startsWith('FROM '));
  return [lines.slice(0, second), lines.slice(second)];
};

describe.each(Object.entries(planes))('the image of the %s', (plane, ports) => {
  const [, image] = stagesOf(plane);

  test('the linter of Dockerfiles finds nothing', () => {
    expect(validate(dockerfileOf(plane)).map(({ message }) => message)).toEqual([]);
  });

  test('it is distroless, its user has no privileges, and it has no other file than the bundle', () => {
    expect(image[0]).toBe('FROM gcr.io/distroless/nodejs22-debian13:nonroot');
    expect(image).toContain('USER 65532:65532');
    const copied = image.filter((line) => /^(COPY|ADD|RUN)/.test(line));
    expect(copied[0]).toBe('COPY --from=bundle /bundle ./');
    for (const line of copied.slice(1))
      expect(line).toMatch(/^COPY --from=bundle --chown=65532:65532 \/empty \/\S+$/);
  });

  test('it runs the plane, with its own ports and health check', () => {
    expect(sourceFiles(root)).toContain(`${plane}/main.ts`);
    expect(image).toContain(`CMD ["${plane}/main.ts"]`);
    expect(image).toContain(`EXPOSE ${ports}`);
    const check = image.find((line) => line.startsWith('HEALTHCHECK'));
    expect(check).toContain(`CMD ["/nodejs/bin/node", "health.ts", "${plane}", "live"]`);
  });
});

test('both images are made of one bundle', () => {
  expect(stagesOf('redirector')[0]).toEqual(stagesOf('control-plane')[0]);
});

test('the context of a build has every file of the bundle', () => {
  const lines = read('.dockerignore').split('\n');
  expect(lines).toContain('*');
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const needed = ['package.json', 'package-lock.json', 'deploy/bundle/main.ts', ...sourceFiles(root)];
  const missing = needed.filter(
    (file) => !allowed.some((name) => file === name || file.startsWith(`${name}/`)),
  );
  expect(missing).toEqual([]);
});

/** What the base image has: glibc, and the run time of C++. */
const isOfBase = (library: string): boolean =>
  /^(linux-vdso|ld-linux\S*|libc|libm|libdl|librt|libpthread|libresolv|libgcc_s|libstdc\+\+)\.so/.test(
    path.basename(library),
  );

test.skipIf(!hasProgram('ldd'))('native parts of packages need no library that the image lacks', async () => {
  const natives = packageFolders(root)
    .flatMap((folder) => packageFiles(root, folder))
    .filter((file) => /\.node$|\.so(\.[\d.]+)?$/.test(file));
  expect(natives.map((file) => path.basename(file))).toContain('uws.node');
  const lacking: string[] = [];
  for (const file of natives) {
    const { stdout } = await promisify(execFile)('ldd', [path.join(root, file)]);
    const needed = stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(' ')[0]!);
    const own = natives.map((name) => path.basename(name));
    lacking.push(
      ...needed.filter((name) => !isOfBase(name) && !own.includes(name)).map((name) => `${file}: ${name}`),
    );
  }
  expect(lacking).toEqual([]);
});
