/** Admin commands for serialized codes: purchased blocks of items, and signature keys. */
import { ConfigError } from '#shared/config.ts';
import { createSerialKeys, serialKeysText, withNextKey } from '#shared/serial-keys.ts';
import { NothingFound, requireFlag, UsageError, type Verb } from '../../framework/verb.ts';
import { listGenerations } from './store/batches.ts';
import { grantItems } from './store/grants.ts';

/** More than any subscription buys at once. */
const blockItemsMax = 100_000_000;

const itemsOf = (given: string): number => {
  const items = /^[1-9]\d{0,8}$/.test(given) ? Number(given) : Number.NaN;
  if (items <= blockItemsMax) return items;
  throw new UsageError(`--count must be a whole number from 1 to ${blockItemsMax}; given: "${given}"`);
};

export const serializedVerbs: Readonly<Record<string, Verb>> = {
  'grant-serialized-codes': {
    synopsis: '--workspace <id> --count <number>',
    help: [
      'adds a block of items that was bought to the quota of a workspace’s subscription, at once and for good;',
      'prints {"workspaceId","granted","subscriptionId","purchased","minted"}',
    ],
    flags: ['workspace', 'count'],
    async run(flags, { pool }) {
      const workspaceId = requireFlag(flags, 'workspace');
      const granted = itemsOf(requireFlag(flags, 'count'));
      const quota = await grantItems(pool, workspaceId, granted);
      if (!quota) throw new NothingFound(`There is no workspace ${workspaceId}`);
      return [{ workspaceId, granted, ...quota }];
    },
  },
  'serial-keys': {
    synopsis: '[--add]',
    help: [
      'prints {"SERIAL_KEYS","signs","generations","used"}: the keys of serialized items, as both planes take them, the generation that signs, all that',
      'there are, and those that batches use; with --add one more, which nothing uses before SERIAL_KEYS is set and the planes are',
      'started anew, redirectors first: until then they cannot verify what it signs. Keep every key: codes are printed with it',
    ],
    flags: [],
    switches: ['add'],
    async run(flags, { settings, pool }) {
      const { secretKey, serialKeys } = settings;
      if (serialKeys === undefined && secretKey === undefined)
        throw new ConfigError('SECRET_KEY or SERIAL_KEYS must be set, as the planes have them');
      const present = createSerialKeys({ secretKey: secretKey ?? '', serialKeys });
      const keys = flags.add ? withNextKey(present) : present;
      const generations = [...keys.keys()].sort((a, b) => a - b);
      return [
        {
          SERIAL_KEYS: serialKeysText(keys),
          signs: generations.at(-1),
          generations,
          used: await listGenerations(pool),
        },
      ];
    },
  },
};
