/**
 * The state of an item in Redis, and the steps of a claim. Each step can be retried under the same token:
 *
 *   (absent) ── reserve(token) ──▶ reserved ── confirm(token) ──▶ confirmed ── close(token) ──▶ claimed
 *
 *   absent      unclaimed, or claimed long ago: PostgreSQL says which
 *   reserved    one scan is asking PostgreSQL. It has not been answered: the reservation ends with its lease
 *   confirmed   that scan is being recorded and answered. If its process is gone, only its spool knows whether it was
 *               answered, and later PostgreSQL
 *   claimed     for good. Kept for a day after the last scan: by then PostgreSQL has long had it
 *
 * "Absent" means unclaimed only within an epoch of Redis (epochs.ts). An epoch begins when PostgreSQL has every
 * earlier claim, and ends when Redis may have lost a key: when its replication id changes (it restarted, or a replica
 * took over), when it has evicted keys, or when the epoch's own key is gone (FLUSHALL). Each script checks the first
 * two in the Redis that runs it, for 10 µs, so that no process can be wrong about it. A state that is present counts in
 * any epoch.
 */
import type { Result } from 'ioredis';
import { itemKey } from '#schemas/verification.ts';
import type { Redis } from '#shared/redis.ts';

/** A final claim. */
export interface KnownClaim {
  batchId: string;
  first: { atMs: number; country: string };
  /** Counted scans, as far as known. */
  scanCount: number;
  /** The visitor hash of the device that claimed it, for ten minutes; then empty. */
  device: string;
}

export type Reservation =
  | { kind: 'claimed'; claim: KnownClaim }
  /** Unclaimed, as far as Redis knows: the token has it now. */
  | { kind: 'reserved' }
  /** Reserved for another token. */
  | { kind: 'busy' }
  /** Confirmed for another token, `ageMs` ago; or in an earlier epoch. */
  | { kind: 'confirmed'; token: string; ageMs: number; isOfEarlierEpoch: boolean }
  /** No epoch has begun: absence means nothing. */
  | { kind: 'no epoch' };

export interface ItemToken {
  itemId: string;
  token: string;
}

export interface Confirmation extends ItemToken {
  claim: Omit<KnownClaim, 'scanCount'>;
}

export interface Closing {
  /** Of the item. */
  key: string;
  token: string;
  /** Whether to give the item back, because no scan was answered as authentic. */
  back: boolean;
}

/** A final claim, from any source, and the scans to add to its count. */
export interface CountedClaim {
  itemId: string;
  claim: KnownClaim;
  add: number;
}

export interface ClaimScripts {
  reserve(items: readonly ItemToken[]): Promise<Reservation[]>;
  /** @returns for each, whether its token has the item now, in the epoch of its reservation */
  confirm(items: readonly Confirmation[]): Promise<boolean[]>;
  /** @returns for each, 1 if it was given back */
  release(closings: readonly Closing[]): Promise<number[]>;
  /** @returns for each, its new count */
  count(claims: readonly CountedClaim[]): Promise<number[]>;
  /** Prepares a new epoch. @returns the history of Redis; undefined while the current epoch continues */
  prepareEpoch(name: string): Promise<string | undefined>;
  /**
   * Begins the epoch, unless Redis may have lost a key since it was prepared.
   * @returns whether there is an epoch now
   */
  completeEpoch(name: string, history: string): Promise<boolean>;
}

const epochKey = 'serial:settled';
const preparedKey = 'serial:settling';
/** Longer than an epoch takes to begin. */
const preparedMs = 120_000;

const deviceKey = (itemId: string): string => `${itemKey(itemId)}:device`;

const epochFunctions = `
local function history()
  local id = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)') or ''
  local evicted = string.match(redis.call('INFO', 'stats'), 'evicted_keys:(%d+)') or ''
  return id .. '.' .. evicted
end
local function epoch(key)
  local found = redis.call('GET', key)
  if not found then return '' end
  local of, name = string.match(found, '^(%S+) (%S+)$')
  return of == history() and name or ''
end
local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end`;

// KEYS: the epoch, then each item's state and device. ARGV: the lease in ms, then the token of each item.
const reserveScript = `${epochFunctions}
local current, answers = epoch(KEYS[1]), {}
for i = 1, #ARGV - 1 do
  local key, device, token = KEYS[2 * i], KEYS[2 * i + 1], ARGV[i + 1]
  local s = redis.call('HMGET', key, 'state', 'token', 'epoch', 'since', 'at', 'country', 'count', 'batch')
  if s[1] == 'claimed' then
    answers[i] = {'claimed', s[5], s[6], s[7], s[8], redis.call('GET', device) or ''}
  elseif current == '' then answers[i] = {'no epoch'}
  elseif s[1] == 'confirmed' and (s[2] ~= token or s[3] ~= current) then
    answers[i] = {'confirmed', s[2], tostring(now() - tonumber(s[4])), s[3] == current and '' or 'earlier'}
  elseif s[1] == 'reserved' and s[2] ~= token and s[3] == current then answers[i] = {'busy'}
  else
    if s[1] ~= 'confirmed' then
      redis.call('HSET', key, 'state', 'reserved', 'token', token, 'epoch', current)
      redis.call('PEXPIRE', key, ARGV[1])
    end
    answers[i] = {'reserved'}
  end
end
return answers`;

// KEYS: as above. ARGV: how many ms a claim and a device are kept, then per item its token, time, country, batch and
// device.
const confirmScript = `${epochFunctions}
local current, answers = epoch(KEYS[1]), {}
for i = 1, (#ARGV - 2) / 5 do
  local key, device, a = KEYS[2 * i], KEYS[2 * i + 1], 5 * i - 2
  local s = redis.call('HMGET', key, 'state', 'token', 'epoch')
  answers[i] = 0
  if current ~= '' and s[2] == ARGV[a] and s[3] == current then
    if s[1] == 'reserved' then
      redis.call('HSET', key, 'state', 'confirmed', 'since', now(), 'at', ARGV[a + 1], 'country', ARGV[a + 2],
        'batch', ARGV[a + 3], 'count', 1)
      redis.call('PEXPIRE', key, ARGV[1])
      redis.call('SET', device, ARGV[a + 4], 'PX', ARGV[2])
    end
    answers[i] = 1
  end
end
return answers`;

// KEYS: each item's state and device. ARGV: per item its token and whether to give it back (1 or 0). A claimed item has
// no token, so it cannot be given back.
const releaseScript = `
local answers = {}
for i = 1, #KEYS / 2 do
  local key, device = KEYS[2 * i - 1], KEYS[2 * i]
  local s = redis.call('HMGET', key, 'state', 'token')
  answers[i] = 0
  if s[2] == ARGV[2 * i - 1] then
    if ARGV[2 * i] == '1' then
      redis.call('DEL', key, device)
      answers[i] = 1
    elseif s[1] == 'confirmed' then
      redis.call('HSET', key, 'state', 'claimed')
      redis.call('HDEL', key, 'token', 'epoch', 'since')
    end
  end
end
return answers`;

// KEYS: each item's state. ARGV: how many ms a claim is kept, then per item its time, country, batch, count and the
// number to add to the count. A claim known from elsewhere replaces any reservation or confirmation.
const countScript = `
local counts = {}
for i, key in ipairs(KEYS) do
  local a = 5 * i - 3
  if redis.call('HGET', key, 'state') ~= 'claimed' then
    redis.call('HSET', key, 'state', 'claimed', 'at', ARGV[a], 'country', ARGV[a + 1], 'batch', ARGV[a + 2])
    redis.call('HDEL', key, 'token', 'epoch', 'since')
  end
  local known = math.max(tonumber(redis.call('HGET', key, 'count') or 0), tonumber(ARGV[a + 3]))
  counts[i] = known + tonumber(ARGV[a + 4])
  redis.call('HSET', key, 'count', counts[i])
  redis.call('PEXPIRE', key, ARGV[1])
end
return counts`;

// KEYS: the epoch, the epochs that are being prepared. ARGV: the name of this one, how many ms it is remembered.
const prepareScript = `${epochFunctions}
if epoch(KEYS[1]) ~= '' then return '' end
redis.call('HSET', KEYS[2], ARGV[1], 1)
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return history()`;

// KEYS: as above. ARGV: the name, the history at its beginning. If the name is still remembered, no flush
// came between.
const completeScript = `${epochFunctions}
if epoch(KEYS[1]) ~= '' then return 1 end
if history() ~= ARGV[2] or redis.call('HDEL', KEYS[2], ARGV[1]) == 0 then return 0 end
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. ARGV[1])
return 1`;

type Arguments = (string | number)[];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    reserveItems(keyCount: number, ...keysAndArguments: Arguments): Result<string[][], Context>;
    confirmItems(keyCount: number, ...keysAndArguments: Arguments): Result<number[], Context>;
    releaseItems(keyCount: number, ...keysAndArguments: Arguments): Result<number[], Context>;
    countItems(keyCount: number, ...keysAndArguments: Arguments): Result<number[], Context>;
    prepareEpoch(keyCount: number, ...keysAndArguments: Arguments): Result<string, Context>;
    completeEpoch(keyCount: number, ...keysAndArguments: Arguments): Result<number, Context>;
  }
}

export interface ClaimTimes {
  /** How long an unconfirmed reservation is kept. */
  leaseMs: number;
  /** How long a claim is kept after the last scan. */
  keptMs: number;
  /** How long the device that made a claim is known. */
  deviceMs: number;
}

const keysOf = (itemIds: readonly string[]): string[] =>
  itemIds.flatMap((itemId) => [itemKey(itemId), deviceKey(itemId)]);

const toReservation = ([kind, ...rest]: string[]): Reservation => {
  if (kind === 'claimed') {
    const [at, country = '', count, batchId = '', device = ''] = rest;
    return {
      kind,
      claim: { batchId, first: { atMs: Number(at), country }, scanCount: Number(count), device },
    };
  }
  if (kind === 'confirmed') {
    const [token = '', age, epoch] = rest;
    return { kind, token, ageMs: Number(age), isOfEarlierEpoch: epoch === 'earlier' };
  }
  if (kind === 'busy' || kind === 'reserved') return { kind };
  return { kind: 'no epoch' };
};

/** Each function returns one answer per item, and throws if Redis is down or does not answer in time. */
export const createClaimScripts = (redis: Redis, { leaseMs, keptMs, deviceMs }: ClaimTimes): ClaimScripts => {
  redis.defineCommand('reserveItems', { lua: reserveScript });
  redis.defineCommand('confirmItems', { lua: confirmScript });
  redis.defineCommand('releaseItems', { lua: releaseScript });
  redis.defineCommand('countItems', { lua: countScript });
  redis.defineCommand('prepareEpoch', { lua: prepareScript });
  redis.defineCommand('completeEpoch', { lua: completeScript });
  return {
    async reserve(items) {
      const keys = [epochKey, ...keysOf(items.map(({ itemId }) => itemId))];
      const answers = await redis.reserveItems(
        keys.length,
        ...keys,
        leaseMs,
        ...items.map(({ token }) => token),
      );
      return answers.map(toReservation);
    },
    async confirm(items) {
      const keys = [epochKey, ...keysOf(items.map(({ itemId }) => itemId))];
      const claims = items.flatMap(({ token, claim: { first, batchId, device } }) => [
        token,
        first.atMs,
        first.country,
        batchId,
        device,
      ]);
      const answers = await redis.confirmItems(keys.length, ...keys, keptMs, deviceMs, ...claims);
      return answers.map((answer) => answer === 1);
    },
    release: (closings) => {
      const keys = keysOf(closings.map(({ key }) => key));
      return redis.releaseItems(
        keys.length,
        ...keys,
        ...closings.flatMap(({ token, back }) => [token, back ? 1 : 0]),
      );
    },
    count: (claims) =>
      redis.countItems(
        claims.length,
        ...claims.map(({ itemId }) => itemKey(itemId)),
        keptMs,
        ...claims.flatMap(({ claim: { first, batchId, scanCount }, add }) => [
          first.atMs,
          first.country,
          batchId,
          scanCount,
          add,
        ]),
      ),
    async prepareEpoch(name) {
      const history = await redis.prepareEpoch(2, epochKey, preparedKey, name, preparedMs);
      return history === '' ? undefined : history;
    },
    completeEpoch: async (name, history) =>
      (await redis.completeEpoch(2, epochKey, preparedKey, name, history)) === 1,
  };
};
