/**
 * A record as a redirector holds it: the keys of a plain code are in the object itself, the keys that few codes have are behind
 * one reference. All held records have one shape, whichever keys they have, which keeps the hot path monomorphic.
 */
import { isDeepStrictEqual } from 'node:util';
import type { CodeRecord } from '#schemas/code-record.ts';

/** The keys that few codes have. */
export type Rare = Omit<CodeRecord, 'id' | 'workspaceId' | 'version' | 'active' | 'destination'>;

const rareOf = ({ id, workspaceId, version, active, destination, ...rare }: CodeRecord): Rare | undefined => {
  for (const _ in rare) return rare;
  return undefined;
};

const plain = (record: CodeRecord): CodeRecord => (record instanceof HeldRecord ? record.toRecord() : record);

/** Whether two records say the same, in whatever order. */
export const saySame = (one: CodeRecord, other: CodeRecord): boolean =>
  isDeepStrictEqual(plain(one), plain(other));

export class HeldRecord implements CodeRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly version: number;
  readonly active: boolean;
  readonly destination: string;
  readonly rare: Rare | undefined;

  constructor(
    id: string,
    workspaceId: string,
    version: number,
    active: boolean,
    destination: string,
    rare: Rare | undefined,
  ) {
    this.id = id;
    this.workspaceId = workspaceId;
    this.version = version;
    this.active = active;
    this.destination = destination;
    this.rare = rare;
  }

  static of(record: CodeRecord): HeldRecord {
    const { id, workspaceId, version, active, destination } = record;
    return new HeldRecord(id, workspaceId, version, active, destination, rareOf(record));
  }

  get erased(): CodeRecord['erased'] {
    return this.rare?.erased;
  }
  get suspended(): CodeRecord['suspended'] {
    return this.rare?.suspended;
  }
  get dataType(): CodeRecord['dataType'] {
    return this.rare?.dataType;
  }
  get encrypted(): CodeRecord['encrypted'] {
    return this.rare?.encrypted;
  }
  get passwordProtected(): CodeRecord['passwordProtected'] {
    return this.rare?.passwordProtected;
  }
  get startsAtMs(): CodeRecord['startsAtMs'] {
    return this.rare?.startsAtMs;
  }
  get beforeStartUrl(): CodeRecord['beforeStartUrl'] {
    return this.rare?.beforeStartUrl;
  }
  get expiresAtMs(): CodeRecord['expiresAtMs'] {
    return this.rare?.expiresAtMs;
  }
  get expiredUrl(): CodeRecord['expiredUrl'] {
    return this.rare?.expiredUrl;
  }
  get schedule(): CodeRecord['schedule'] {
    return this.rare?.schedule;
  }
  get parameters(): CodeRecord['parameters'] {
    return this.rare?.parameters;
  }
  get cap(): CodeRecord['cap'] {
    return this.rare?.cap;
  }
  get sources(): CodeRecord['sources'] {
    return this.rare?.sources;
  }
  get rules(): CodeRecord['rules'] {
    return this.rare?.rules;
  }
  get variants(): CodeRecord['variants'] {
    return this.rare?.variants;
  }
  get deepLink(): CodeRecord['deepLink'] {
    return this.rare?.deepLink;
  }
  get messages(): CodeRecord['messages'] {
    return this.rare?.messages;
  }
  get analytics(): CodeRecord['analytics'] {
    return this.rare?.analytics;
  }

  /** The record as it came. */
  toRecord(): CodeRecord {
    const { id, workspaceId, version, active, destination, rare } = this;
    return { id, workspaceId, version, active, destination, ...rare };
  }
}
