/**
 * A record as a redirector holds it, a million times: what a plain code has stands in the object itself, what few
 * codes have is behind one reference. Every record is of one shape, whichever keys it has, so that the hot path meets
 * one shape; with all keys in the object each record took 64 bytes more.
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
  /** When a source was last asked for it. */
  checkedAtMs: number;
  private readonly rare: Rare | undefined;

  /** @param workspaceId the record's, as one string for all codes of a workspace */
  constructor(record: CodeRecord, workspaceId: string, checkedAtMs: number) {
    this.id = record.id;
    this.workspaceId = workspaceId;
    this.version = record.version;
    this.active = record.active;
    this.destination = record.destination;
    this.checkedAtMs = checkedAtMs;
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
