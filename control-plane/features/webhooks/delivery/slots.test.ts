import { beforeEach, describe, expect, test } from 'vitest';
import { createSlots, type Slot, type Slots } from './slots.ts';

let nowMs: number;
let slots: Slots;
beforeEach(() => {
  nowMs = 0;
  slots = createSlots(() => nowMs);
});

/** A webhook in a workspace of its own. */
const webhook = (id: string, url = `https://${id}.example/`, batches = false) => ({
  id,
  workspaceId: `ws_${id}`,
  url,
  batches,
});

/** The slots available to one webhook, without taking them. */
const free = (one: ReturnType<typeof webhook>): number => slots.plan([one])[0]?.count ?? 0;

/** Takes all available slots. */
const fill = (...some: ReturnType<typeof webhook>[]): Slot[] =>
  slots
    .plan(some)
    .flatMap(({ webhookId, count }) => Array.from({ length: count }, () => slots.take(webhookId)));

const end = (slot: Slot, succeeded: boolean, { durationMs = 10, holdMs = 0 } = {}): void => {
  slot.end({ succeeded, durationMs, holdMs });
  slot.free();
};

const succeed = (one: ReturnType<typeof webhook>, times: number, durationMs = 10): void => {
  for (let i = 0; i < times; i++) {
    const [planned] = slots.plan([one]);
    expect(planned).toBeDefined();
    end(slots.take(one.id), true, { durationMs });
  }
};

const fail = (one: ReturnType<typeof webhook>, times: number): void => {
  for (let i = 0; i < times; i++) {
    slots.plan([one]);
    end(slots.take(one.id), false);
  }
};

describe('a webhook', () => {
  const one = webhook('one');

  test('has 8 slots at first, twice as many after each good round, and at most 64', () => {
    expect(free(one)).toBe(8);
    succeed(one, 8);
    expect(free(one)).toBe(16);
    succeed(one, 16 + 32 + 64 + 64);
    expect(free(one)).toBe(64);
  });

  test('has half as many after each failure, and at least one', () => {
    expect(free(one)).toBe(8);
    fail(one, 1);
    expect(free(one)).toBe(4);
    fail(one, 4);
    expect(free(one)).toBe(1);
  });

  test('that has failed ten times in a row is probed by single attempts, with pauses that grow up to a minute', () => {
    fail(one, 10);
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      nowMs += pauseMs - 1;
      expect(free(one)).toBe(0);
      expect(slots.held()).toBe(1);
      nowMs += 1;
      const [probe, ...others] = fill(one);
      expect(others).toEqual([]);
      expect(free(one)).toBe(0);
      end(probe!, false);
    }
    nowMs += 60_000;
    end(fill(one)[0]!, true);
    succeed(one, 1);
    expect(free(one)).toBe(2);
  });

  test('that is slow has at most 8', () => {
    succeed(one, 8 + 16 + 32);
    expect(free(one)).toBe(64);
    succeed(one, 20, 10_000);
    expect(free(one)).toBe(8);
  });

  test('one of whose attempts does not end has at most 8 more besides the ones under way', () => {
    succeed(one, 8 + 16);
    end(fill(one)[0]!, true);
    slots.plan([one]);
    slots.take(one.id);
    nowMs += 2_001;
    expect(free(one)).toBe(0);
  });

  test('whose receiver asks for a later retry is held until then', () => {
    slots.plan([one]);
    end(slots.take(one.id), false, { holdMs: 90_000 });
    nowMs = 89_999;
    expect(free(one)).toBe(0);
    nowMs = 90_000;
    expect(free(one)).toBe(4);
  });

  test('that moves to another server is judged from scratch', () => {
    fail(one, 10);
    expect(free(one)).toBe(0);
    expect(free({ ...one, url: 'https://elsewhere.example/' })).toBe(8);
  });
});

const many = (count: number) => Array.from({ length: count }, (_, i) => webhook(`wh_${i}`));

test('unproven webhooks have half of all slots together, and a webhook that answers well keeps its own', () => {
  const healthy = webhook('healthy');
  succeed(healthy, 8 + 16 + 32);
  fill(...many(200));
  expect(slots.used()).toBe(256);
  expect(free(healthy)).toBe(64);
});

test('webhooks known to fail or to be slow leave slots to new ones', () => {
  const bad = many(300);
  for (const one of bad) fail(one, 3);
  fill(...bad);
  expect(slots.used()).toBe(192);
  expect(slots.areScarce()).toBe(true);
  expect(free(webhook('new'))).toBe(8);
  expect(slots.areScarce()).toBe(false);
});

test('one failure among successes does not make a webhook a bad one', () => {
  const healthy = webhook('healthy');
  succeed(healthy, 8);
  fail(healthy, 1);
  fill(...many(200));
  expect(slots.used()).toBe(256);
  expect(free(healthy)).toBe(8);
});

test('at most 512 attempts are under way', () => {
  const healthy = many(30);
  for (const one of healthy) succeed(one, 8 + 16 + 32);
  expect(fill(...healthy.slice(0, 6))).toHaveLength(384);
  expect(fill(...healthy.slice(6))).toHaveLength(128);
  expect(slots.plan(healthy)).toEqual([]);
});

test('a slot is free for its webhook when its attempt ends, and for the process when the result is written', () => {
  const one = webhook('one');
  const [first] = fill(one);
  expect(free(one)).toBe(0);
  first!.end({ succeeded: true, durationMs: 1, holdMs: 0 });
  expect(free(one)).toBe(1);
  expect(slots.used()).toBe(8);
  first!.free();
  expect(slots.used()).toBe(7);
});

test('webhooks of one origin have 96 slots together', () => {
  const same = many(20).map(({ id }) => webhook(id, `https://hooks.example/${id}`));
  const [first, ...others] = same;
  succeed(first!, 8 + 16 + 32);
  expect(fill(first!)).toHaveLength(64);
  fill(...others);
  expect(slots.used()).toBe(96);
  expect(free(webhook('other'))).toBe(8);
});

test('webhooks with batches have 64 slots together', () => {
  const batching = many(20).map(({ id, url }) => webhook(id, url, true));
  expect(fill(...batching)).toHaveLength(64);
});

test('webhooks with nothing under way are eventually forgotten', () => {
  const failing = webhook('failing');
  fail(failing, 10);
  expect(free(failing)).toBe(0);
  for (let i = 0; i < 45; i++) slots.plan(Array.from({ length: 256 }, (_, n) => webhook(`wh_${i}_${n}`)));
  expect(free(failing)).toBe(8);
});

describe('a workspace leaves slots to others', () => {
  const ofWorkspace = (
    workspaceId: string,
    count: number,
    urlOf = (id: string) => `https://${id}.example/`,
  ) =>
    Array.from({ length: count }, (_, i) => {
      const id = `${workspaceId}_${i}`;
      return { ...webhook(id, urlOf(id)), workspaceId };
    });
  const [other] = ofWorkspace('other', 1);
  /** Webhooks that answer well until they have 64 slots each. */
  const grow = (some: ReturnType<typeof ofWorkspace>, durationMs?: number): void => {
    for (const one of some) succeed(one, 8 + 16 + 32, durationMs);
  };

  test('when 20 webhooks that answered well hang, even if their URLs keep changing', () => {
    grow([other!]);
    let hanging = ofWorkspace('hanging', 20);
    for (let round = 1; round <= 4; round++) {
      hanging = hanging.map((one) => ({ ...one, url: `https://${one.id}-${round}.example/` }));
      for (let i = 0; i < 56; i++)
        for (const one of hanging) if (free(one) > 0) end(slots.take(one.id), true);
      fill(...hanging);
      expect(slots.used()).toBeGreaterThan(96);
      expect(slots.used()).toBeLessThanOrEqual(128);
      expect(free(other!)).toBe(64);
      nowMs += 3_000;
    }
  });

  test('when 20 webhooks answer well after 1.9 s each', () => {
    const late = ofWorkspace('late', 20);
    grow(late, 1_900);
    grow([other!]);
    expect(fill(...late).length).toBeLessThanOrEqual(128);
    expect(free(other!)).toBe(64);
  });

  test('when 20 webhooks lead to a slow origin that others use too', () => {
    const shared = (id: string) => `https://hooks.example/${id}`;
    const slow = ofWorkspace('slow', 20, shared);
    grow(slow);
    fill(...slow);
    nowMs += 3_000;
    fill(...slow);
    expect(free({ ...other!, url: shared('other') })).toBe(4);
  });

  test('for a slow webhook that works, when 30 webhooks of two workspaces are slow', () => {
    succeed(other!, 8, 2_500);
    const slow = [...ofWorkspace('slow', 20), ...ofWorkspace('slower', 10)];
    fill(...slow);
    nowMs += 3_000;
    fill(...slow);
    expect(free(other!)).toBe(8);
  });

  test('when more slow attempts are under way than bad webhooks may have, as they began well', () => {
    succeed(other!, 8, 2_500);
    const began = ['a', 'b', 'c'].flatMap((id) => ofWorkspace(id, 2));
    grow(began);
    fill(...began);
    nowMs += 3_000;
    expect(slots.used()).toBeGreaterThan(192);
    expect(free(other!)).toBe(8);
  });

  test('when ten workspaces take all that is open to all: each has an equal share once attempts end', () => {
    grow([other!]);
    const owned = Array.from({ length: 10 }, (_, i) => ofWorkspace(`owned_${i}`, 20)).flat();
    grow(owned);
    let theirs = fill(...owned);
    let own = fill(other!);
    expect([theirs.length, own.length]).toEqual([384, 8]);
    for (let turn = 0; turn < 20; turn++) {
      for (const slot of [...theirs.splice(0, 48), ...own.splice(0, 4)])
        end(slot, true, { durationMs: 1_900 });
      const planned = slots.plan([...owned, other!]);
      for (const { webhookId, count } of planned) {
        const taken = Array.from({ length: count }, () => slots.take(webhookId));
        if (webhookId === other!.id) own = [...own, ...taken];
        else theirs = [...theirs, ...taken];
      }
    }
    expect(own.length).toBeGreaterThanOrEqual(30);
  });

  test('and one of its webhooks has a slot though 19 others hang', () => {
    const [working, ...hanging] = ofWorkspace('one', 20);
    fill(...hanging);
    expect(free(working!)).toBe(1);
    nowMs += 3_000;
    fill(...hanging);
    expect(free(working!)).toBe(1);
  });

  test('and a single one reaches 64', () => {
    grow([other!]);
    expect(fill(other!)).toHaveLength(64);
  });
});
