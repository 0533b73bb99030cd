import { expect, test } from 'vitest';
import { graphsOf, importsIn, reachedFrom, reversed } from './import-graph.ts';
import { testFilesByProject } from './projects.ts';

/** The graphs of a project with these files. */
const graphs = (texts: Record<string, string>, others: readonly string[] = []) =>
  graphsOf(new Map(Object.entries(texts)), new Set([...Object.keys(texts), ...others]));

test('a path is from the root, whether it is written from the file or from the root', () => {
  const text = `import { a } from '../b.ts';\nimport '#shared/c.ts';\nexport * from './d.ts';\nimport fs from 'node:fs';\n`;
  expect(importsIn('x/y/a.ts', text).map(({ to }) => to)).toEqual([
    'x/b.ts',
    'shared/c.ts',
    'x/y/d.ts',
    'node:fs',
  ]);
});

test('a file loads what it imports over several lines or in a call, and not the types that Node drops', () => {
  const { imports } = graphs({
    'a.ts': `import type { T } from './t.ts';\nexport type { U } from './u.ts';\nimport {\n  type V,\n  b,\n} from './b.ts';\nconst c = await import('./c.ts');\n`,
  });
  expect([...imports.get('a.ts')!]).toEqual(['b.ts', 'c.ts']);
});

test('a file uses the files whose paths it has as strings: programs that it starts, texts that it reads', () => {
  const { imports, uses } = graphs(
    {
      'x/a.ts': `new URL('./program.ts', import.meta.url); start('y/main.ts'); read('style.css'); say('no/such.ts');`,
      'x/program.ts': '',
      'y/main.ts': '',
    },
    ['x/style.css'],
  );
  expect([...imports.get('x/a.ts')!]).toEqual([]);
  expect([...uses.get('x/a.ts')!].sort()).toEqual(['x/program.ts', 'x/style.css', 'y/main.ts']);
});

test('what is reached is reached in any number of steps, also in a circle, and backwards in the reverse', () => {
  const { imports } = graphs({
    'a.ts': `import './b.ts';`,
    'b.ts': `import './c.ts';`,
    'c.ts': `import './b.ts';`,
    'd.ts': '',
  });
  expect([...reachedFrom(['a.ts'], imports)]).toEqual(['a.ts', 'b.ts', 'c.ts']);
  expect([...reachedFrom(['c.ts'], reversed(imports))].sort()).toEqual(['a.ts', 'b.ts', 'c.ts']);
});

test('a test file that reaches the services, a process or neither is in the project of that name', () => {
  const { imports } = graphs({
    'helper.ts': `import { createTestDatabase } from './deploy/testing/index.ts';`,
    'deploy/testing/index.ts': `import { spawn } from 'node:child_process';`,
    'services.test.ts': `import { plane } from './helper.ts';`,
    'process.test.ts': `import { spawn } from 'node:child_process';`,
    'redirector.test.ts': `import uws from 'uWebSockets.js';`,
    'unit.test.ts': `import type { Plane } from './helper.ts';`,
  });
  expect(testFilesByProject(imports)).toEqual({
    unit: ['unit.test.ts'],
    process: ['process.test.ts', 'redirector.test.ts'],
    services: ['services.test.ts'],
  });
});
