import { expect, test } from 'vitest';
import { loadSettings } from '../config.ts';

const model = { AI_URL: 'http://localhost:11434/v1', AI_MODEL: 'qwen3:8b' };

test('a model has an address, a name, and a minute; without an address there is no model', () => {
  expect(loadSettings(model).ai).toEqual({
    url: 'http://localhost:11434/v1',
    model: 'qwen3:8b',
    key: undefined,
    timeoutMs: 60_000,
  });
  expect(loadSettings({ AI_KEY: 'sk-12345' }).ai).toBeUndefined();
});

test.each([
  [{ AI_URL: model.AI_URL }, /^AI_MODEL must be set where AI_URL is/],
  [{ AI_MODEL: model.AI_MODEL }, /^AI_URL must be set where AI_MODEL is/],
  [{ ...model, AI_URL: 'localhost:11434' }, /^AI_URL must be .*given: "localhost:11434"/],
  [{ ...model, AI_TIMEOUT_S: '0' }, /^AI_TIMEOUT_S must be/],
])('%o is refused, and what is wrong is named', (env, message) => {
  expect(() => loadSettings(env)).toThrow(message);
});
