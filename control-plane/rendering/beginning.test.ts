import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { begin, createBeginning, watch } from './beginning.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  // A clock that has run for a while: 0 means a thread that has not begun.
  vi.advanceTimersByTime(1_000_000);
});
afterEach(() => vi.useRealTimers());

const start = () => {
  const beginning = createBeginning();
  const onLate = vi.fn();
  const watched = watch(beginning, { taskMsMax: 100, startMsMax: 5_000, onLate });
  return { watched, onLate, begin: () => begin({ task: 'a picture', begunAt: beginning.shared }) };
};

test('a thread gets the time that it needs to start, and the task its own time from then on', () => {
  const { onLate, begin } = start();
  vi.advanceTimersByTime(4_930);
  expect(begin()).toBe('a picture');
  vi.advanceTimersByTime(99);
  expect(onLate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onLate).toHaveBeenCalledOnce();
});

test("a thread that has not started within the start time and the task's time is late", () => {
  const { onLate } = start();
  vi.advanceTimersByTime(5_099);
  expect(onLate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onLate).toHaveBeenCalledOnce();
});

test('a task that has ended is never late', () => {
  const { watched, onLate, begin } = start();
  begin();
  watched.stop();
  vi.advanceTimersByTime(10_000);
  expect(onLate).not.toHaveBeenCalled();
});
