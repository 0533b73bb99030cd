import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { features } from '../../app.ts';
import type { Feature } from '../../feature.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { changeNoticesOf } from './change-notices.ts';
import type { PageChange } from './page-change.ts';

test('each change is announced in its own process, and is answered once all listeners have handled it', async () => {
  const noted: PageChange[] = [];
  const recorder: Feature = {
    name: 'recorder',
    open(services) {
      changeNoticesOf(services).follow(async (change) => {
        await sleep(50);
        noted.push(change);
      });
      return {};
    },
  };
  const { call } = await (await startTestControlPlane({ features: [...features, recorder] })).workspace();

  const kinds = [
    ['landing_page', 'landing-pages', 'pageId'],
    ['form', 'forms', 'formId'],
    ['menu', 'menus', 'menuId'],
  ] as const;
  for (const [kind, path, idField] of kinds) {
    const { body } = await call('POST', `/api/qr/${path}`, { name: 'One' });
    const id = String((body as Record<string, unknown>)[idField]);
    const one = `/api/qr/${path}/${id}`;
    noted.length = 0;
    const changed = await call('PATCH', one, { name: 'Two' });
    const { updatedAt } = changed.body as { updatedAt: number };
    expect(noted).toEqual([{ id, kind, state: 'active', changedAtMs: updatedAt }]);
    await call('PATCH', one, { status: 'paused' });
    await call('DELETE', one);
    expect(noted.map(({ state }) => state)).toEqual(['active', 'paused', 'deleted']);
    expect(noted[2]?.changedAtMs).toBeGreaterThan(noted[1]?.changedAtMs ?? 0);
  }
});
