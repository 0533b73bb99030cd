/** Scans for analytics: 92 days of them, in the order of time, a day in an INSERT, so that parts and merges are as after real days. */
import { createClickHouse } from '#shared/clickhouse.ts';

const days = 92;

/**
 * A hundredth of the scans are of one code, which has all dimensions; 20,000 visitors a day. The others are of 48,000
 * codes. One scan in 25 is a bot's.
 */
const daySql = `
  INSERT INTO scans
  SELECT generateUUIDv4(), fromUnixTimestamp64Milli({startMs:Int64} + intDiv(number * 86399000, {perDay:UInt64})),
    {workspaceId:String}, if(random % 100 = 0, {codeId:String}, concat('c', toString(cityHash64(random) % 48000))) AS code,
    if(rand(2) % 25 = 0, 'bot', 'scan'), ['mobile', 'mobile', 'mobile', 'tablet', 'desktop'][1 + rand(3) % 5],
    ['ios', 'android', 'android', 'windows', 'macos', 'linux'][1 + rand(4) % 6],
    cityHash64({startMs:Int64}, code, rand(5) % 20000),
    ['Safari', 'Chrome', 'Firefox', 'Edge', 'Samsung Internet', 'Opera'][1 + rand(6) % 6],
    ['DE', 'FR', 'US', 'GB', 'IT', 'ES', 'NL', 'PL', 'AT', 'CH', 'BE', 'SE', 'NO', 'DK', 'FI', 'PT', 'CZ', 'JP', 'BR', ''][1 +
      least(rand(7) % 20, rand(8) % 20)],
    if(rand(9) % 4 = 0, concat('site', toString(rand(10) % 30), '.example'), ''),
    if(rand(11) % 3 = 0, concat('tag', toString(rand(12) % 5)), ''),
    if(code = {codeId:String}, ['a', 'b'][1 + rand(13) % 2], ''),
    if(code = {codeId:String}, ['r1', 'r2', ''][1 + rand(14) % 3], '')
  FROM (SELECT number, rand(1) AS random FROM numbers({perDay:UInt64}))`;

/** @param scans of all codes together; a hundredth of them are of the code */
export const seedScans = async (
  clickhouseUrl: string,
  { workspaceId, codeId, scans }: { workspaceId: string; codeId: string; scans: number },
): Promise<void> => {
  const clickhouse = createClickHouse(clickhouseUrl, 'waymark-loadtest', 600_000);
  const todayMs = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const perDay = Math.ceil(scans / days);
  try {
    for (let day = days - 1; day >= 0; day--) {
      const startMs = todayMs - day * 86_400_000;
      const query_params = { startMs, perDay, workspaceId, codeId };
      await clickhouse.command({ query: daySql, query_params });
    }
  } finally {
    await clickhouse.close();
  }
};
