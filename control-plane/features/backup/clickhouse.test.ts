/** An answer of ClickHouse that fails after it has begun. */
import { expect, test } from 'vitest';
import { failureAt } from './clickhouse.ts';

const failure =
  'Code: 241. DB::Exception: Memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED) (version 25.8.1.1 (official build))\n';

test('a failure at the end of rows is seen, as ClickHouse writes it before and since 25.11', () => {
  const rows = Buffer.from([0, 255, 10, 13, 65]);
  for (const end of [failure, `\r\n__exception__\r\nabcdef\r\n${failure}128 abcdef\r\n__exception__\r\n`])
    expect(failureAt(Buffer.concat([rows, Buffer.from(end)]))).toMatch(/^DB::Exception: Memory limit/);
  expect(failureAt(rows)).toBeUndefined();
  expect(failureAt(Buffer.concat([Buffer.from(failure), rows]))).toBeUndefined();
});
