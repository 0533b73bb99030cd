/**
 * Ids of uploaded images: 16 random characters of base58, and 5 of a truncated keyed checksum. An invented id is
 * recognised in memory: one in 656 million passes.
 */
import { base58Check, isBase58, randomBase58 } from '#shared/ids.ts';

const randomLength = 16;
const checkLength = 5;

export interface ImageIds {
  create(): string;
  /** Whether the id has the checksum of this key. False for an id made under a lost key. */
  isGenuine(id: string): boolean;
}

export const isImageId = (text: string): boolean =>
  text.length === randomLength + checkLength && isBase58(text);

/** @param key 32 bytes, derived for the purpose `image-id` */
export const createImageIds = (key: Buffer): ImageIds => {
  const check = (random: string): string => base58Check(key, random, checkLength);
  return {
    create() {
      const random = randomBase58(randomLength);
      return random + check(random);
    },
    isGenuine: (id) => isImageId(id) && check(id.slice(0, randomLength)) === id.slice(randomLength),
  };
};
