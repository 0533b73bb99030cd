/**
 * One scan, as the redirector records it and as a row of ClickHouse's table `scans`. The columns, their order and their
 * RowBinary encodings are defined only here: the recorder writes them, the spool's recovery reads them back, and the
 * INSERT names them.
 */

/** How a column is encoded in RowBinary (https://clickhouse.com/docs/interfaces/formats/RowBinary). */
export type ColumnEncoding =
  /** 16 bytes: two little-endian UInt64, the high half first. */
  | 'uuid'
  /** Int64, milliseconds since 1970, little-endian: DateTime64(3). */
  | 'dateTime64'
  /** UInt64, little-endian. */
  | 'uint64'
  /** One byte. */
  | 'enum8'
  /** LEB128 length in bytes, then UTF-8. */
  | 'string';

/** The columns in the order of a row's bytes. */
export const scanColumns = [
  ['event_id', 'uuid'],
  ['ts', 'dateTime64'],
  ['workspace_id', 'string'],
  ['code_id', 'string'],
  ['kind', 'enum8'],
  ['device', 'enum8'],
  ['os', 'enum8'],
  ['visitor', 'uint64'],
  ['browser', 'string'],
  ['country', 'string'],
  ['referrer_host', 'string'],
  ['source', 'string'],
  ['variant_id', 'string'],
  ['rule_id', 'string'],
] as const satisfies readonly (readonly [string, ColumnEncoding])[];

/** `bot`: a HEAD, a prefetch, a crawler or a link preview; recorded, never counted. */
export const scanKinds = ['scan', 'bot'] as const;
/** An index is the value of the Enum8 in ClickHouse: append, never reorder. */
export const devices = ['mobile', 'tablet', 'desktop', 'bot'] as const;
/** An index is the value of the Enum8 in ClickHouse: append, never reorder. */
export const operatingSystems = ['other', 'ios', 'android', 'windows', 'macos', 'linux'] as const;

export type ScanKind = (typeof scanKinds)[number];
export type Device = (typeof devices)[number];
/** Devices of counted scans: bots are never counted. */
export const countedDevices = ['mobile', 'tablet', 'desktop'] as const satisfies readonly Device[];
export type OperatingSystem = (typeof operatingSystems)[number];

/** One scan. Missing facts are empty strings. */
export interface ScanEvent {
  tsMs: number;
  workspaceId: string;
  codeId: string;
  kind: ScanKind;
  device: Device;
  os: OperatingSystem;
  /** Hash of the visitor under a salt that rotates daily, as two Int32 (a BigInt would cost more than the hash). */
  visitorHigh: number;
  visitorLow: number;
  browser: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  referrerHost: string;
  /** The id of the attribution tag in `?s=`. */
  source: string;
  variantId: string;
  ruleId: string;
}

/** The statement whose body is a spool segment. */
export const scanInsert = `INSERT INTO scans (${scanColumns.map(([name]) => name).join(', ')}) FORMAT RowBinary`;
