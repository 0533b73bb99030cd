/** The lines of the guide work when pasted, block after block. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import type { FormObject } from '#schemas/api/forms.ts';
import type { LandingPageObject } from '#schemas/api/landing-pages.ts';
import { temporaryFolder } from '../../../deploy/testing/local.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';

const guide = new URL('./README.md', import.meta.url);

let plane: TestControlPlane;
let own: Workspace;
let blocks: string[];

beforeAll(async () => {
  const text = await readFile(guide, 'utf8');
  blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

/** Runs the lines in one shell. A failed request ends it with an error message. @returns its output */
const paste = async (pasted: readonly string[], cwd: string): Promise<string> => {
  const settings = `set -eo pipefail; KEY=${own.apiKey}; curl() { command curl --fail-with-body "$@"; }`;
  const script = [settings, ...pasted].join('\n').replaceAll(/localhost:(3000|8080)/g, plane.url.slice(7));
  return (await promisify(execFile)('bash', ['-c', script], { cwd })).stdout;
};

test.skipIf(!hasProgram('curl'))(
  'the blocks of the guide work in order, and result in a presentable page and menu',
  async () => {
    expect(blocks).toHaveLength(3);
    const folder = await temporaryFolder();
    const stdout = await paste(blocks, folder);

    const { pages } = (await own.call('GET', '/api/qr/landing-pages')).body as { pages: LandingPageObject[] };
    expect(pages).toMatchObject([
      { status: 'active', headline: 'Corner Café', subheadline: null, socials: [{}], buttons: [{}, {}] },
    ]);
    let html = '';
    const show = async () => {
      const shown = await fetch(`${plane.url}/p/${pages[0]!.pageId}`);
      html = await shown.text();
      return [shown.status, html.match(/<picture/g)?.length];
    };
    // On a busy machine PostgreSQL may be too slow for a view, or for its pictures.
    await expect.poll(show, { interval: 500 }).toEqual([200, 1]);
    expect(html).toContain('See the menu');
    const picture = pages[0]!.heroImageUrl;
    expect(picture).toContain('/i/');
    expect((await own.call('GET', '/api/qr/menus')).body).toMatchObject({
      menus: [{ name: 'Evening', sections: [{ items: [{ imageUrl: picture }] }] }],
    });

    expect(stdout).toMatch(/\{"location":"\/f\/form_\w+\?sent=1"\}/);
    expect(stdout).toContain('"email":"ann@example.com"');
    expect(await readFile(path.join(folder, 'submissions.csv'), 'utf8')).toContain('ann@example.com');
    expect((await own.call('GET', '/api/qr/forms')).body).toEqual({ forms: [] });
    const { rows } = await plane.pool.query(
      'SELECT sum(submissions)::int AS left FROM form_submission_counts',
    );
    expect(rows).toEqual([{ left: 0 }]);
  },
);

test.skipIf(!hasProgram('curl'))('the form is there until the last block, which ends it', async () => {
  await paste(blocks.slice(0, 2), await temporaryFolder());
  expect((await own.call('GET', '/api/qr/forms')).body).toMatchObject({
    forms: [{ submissionCount: 1 } satisfies Partial<FormObject>],
  });
});
