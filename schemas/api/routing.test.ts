import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countryCodes } from './countries.ts';
import { createDestination } from './destination.ts';
import { createCampaign, createRoutingRules } from './routing.ts';

const destination = createDestination('https://qr.example.com');

test('there are the 249 countries of ISO 3166-1', () => {
  expect(countryCodes.size).toBe(249);
  expect([...countryCodes].every((code) => /^[A-Z]{2}$/.test(code))).toBe(true);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect([...countryCodes].filter((code) => names.of(code) === undefined)).toEqual([]);
});

describe('missing ids', () => {
  const rules = createRoutingRules(destination);
  const id = fc.option(fc.constantFrom('rule-1', 'rule-2', 'rule-3', 'rule-4', 'own'), { nil: undefined });

  test('are filled in, unique, and unchanged when the result is sent again', () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 8 }), (ids) => {
        const given = ids.map((one) => ({
          ...(one !== undefined && { id: one }),
          condition: { os: ['ios'] },
          destination: 'https://example.com/',
        }));
        const known = ids.filter((one) => one !== undefined);
        const parsed = rules.safeParse(given);
        expect(parsed.success).toBe(new Set(known).size === known.length);
        if (!parsed.success) return;
        const filled = parsed.data.map((one) => one.id);
        expect(new Set(filled).size).toBe(filled.length);
        for (const [index, one] of ids.entries()) if (one !== undefined) expect(filled[index]).toBe(one);
        expect(rules.parse(given)).toEqual(parsed.data);
        expect(rules.parse(parsed.data)).toEqual(parsed.data);
      }),
    );
  });

  test('of variants also name them', () => {
    const variants = [{ destination: 'https://example.com/', weight: 1, name: '' }];
    expect(createCampaign(destination).parse({ status: 'active', variants }).variants).toEqual([
      { id: 'variant-1', name: 'variant-1', destination: 'https://example.com/', weight: 1 },
    ]);
  });
});
