/**
 * A record as a redirector holds it, a million times: the keys of a plain code are in the object itself, those that few
 * codes have are behind one reference. All held records have one shape, whichever keys they have, which keeps the hot path
 * monomorphic; with all keys in the object each record took 64 bytes more.
 */
import type { CodeRecord } from '#schemas/code-record.ts';

type Rare = Omit<CodeRecord, 'id' | 'workspaceId' | 'version' | 'active' | 'destination'>;

const rareOf = ({ id, workspaceId, version, active, destination, ...rare }: CodeRecord): Rare | undefined => {
  for (const _ in rare) return rare;
  return undefined;
};

export class HeldRecord implements CodeRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly version: number;
  readonly active: boolean;
  readonly destination: string;
  private readonly rare: Rare | undefined;

  /** @param workspaceId the record's, as one string for all codes of a workspace */
  constructor(record: CodeRecord, workspaceId: string) {
    this.id = record.id;
    this.workspaceId = workspaceId;
    this.version = record.version;
    this.active = record.active;
    this.destination = record.destination;
    this.rare = rareOf(record);
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
  get expiresAtMs(): CodeRecord['expiresAtMs'] {
    return this.rare?.expiresAtMs;
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

  /** The record as it came. */
  toRecord(): CodeRecord {
    const { id, workspaceId, version, active, destination, rare } = this;
    return { id, workspaceId, version, active, destination, ...rare };
  }
}
