/** The only place where codes are created: any number in one statement, and their events in one call. */
import { ownFieldsOf } from '#schemas/api/own-fields.ts';
import type { NewEvent } from '#schemas/events.ts';
import { ClientError } from '#shared/errors.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import { currentKeyId } from '../../../platform/db/actions.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { type Code, type NewCode, secureKindsOf } from './code.ts';
import { columnOf, newCodeColumns, parameter, typeOf } from './columns.ts';
import { aboutCode } from './events.ts';
import { externalIdTaken, findByExternalIds } from './external-ids.ts';
import { mayCreateAt, whyNoCode } from './key-domains.ts';
import { newLinkBase } from './link-base.ts';

/** Ids collide about once in 2 × 10¹² / codes; this many times in a row, never. */
const idAttemptsMax = 5;

type IdentifiedCode = NewCode & { id: string };

/**
 * Creates codes, and emits `qr.created` for each.
 * @param codes of one workspace
 * @param createId a new random id; used if an id exists already, or occurs twice
 * @param sharedHost the host name of QR_HOST
 * @returns the codes in the order given; EXTERNAL_ID_TAKEN in place of one whose externalId another code has, which
 * may be an earlier one of the same call; DOMAIN_NOT_ALLOWED in place of all if the key may not make codes there
 */
export const createEachCode = async (
  tx: Transaction,
  outbox: Outbox,
  codes: readonly IdentifiedCode[],
  createId: () => string,
  sharedHost: string,
): Promise<(Code | ClientError)[]> => {
  const created = new Map<number, Code | ClientError>();
  let left = [...codes.entries()];
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt === idAttemptsMax) throw new Error(`${idAttemptsMax} new ids in a row existed already`);
    for (const [place, code] of await insertCodes(tx, left, sharedHost)) created.set(place, code);
    left = left.filter(([place]) => !created.has(place));
    for (const [place, refusal] of await refusalsOf(tx, left, sharedHost)) created.set(place, refusal);
    left = left
      .filter(([place]) => !created.has(place))
      .map(([place, code]) => [place, { ...code, id: createId() }]);
  }
  const inOrder = codes.map((_, place) => created.get(place)!);
  const events = inOrder.flatMap((code) => (code instanceof ClientError ? [] : [createdEvent(code)]));
  if (events.length > 0) await outbox.emit(tx, events);
  return inOrder;
};

/** The same for codes that are created all or none. @throws {ClientError} EXTERNAL_ID_TAKEN */
export const createCodes = async (...given: Parameters<typeof createEachCode>): Promise<Code[]> =>
  (await createEachCode(...given)).map((code) => {
    if (code instanceof ClientError) throw code;
    return code;
  });

/** Of codes that were not inserted: why, unless their ids exist, or were those of erased codes. */
const refusalsOf = async (
  tx: Transaction,
  placed: readonly (readonly [place: number, code: IdentifiedCode])[],
  sharedHost: string,
): Promise<Map<number, ClientError>> => {
  if (placed.length === 0) return new Map();
  const { workspaceId } = placed[0]![1];
  const misplaced = await whyNoCode(tx, workspaceId, sharedHost);
  if (misplaced) return new Map(placed.map(([place]) => [place, misplaced]));
  const named = placed.flatMap(([place, { externalId }]) => (externalId ? [{ place, externalId }] : []));
  const holders = await findByExternalIds(
    tx,
    workspaceId,
    named.map(({ externalId }) => externalId),
  );
  return new Map(
    named.flatMap(({ place, externalId }) => {
      const id = holders.get(externalId);
      return id === undefined ? [] : [[place, externalIdTaken(externalId, id)] as const];
    }),
  );
};

const createdEvent = (code: Code): NewEvent => ({
  type: 'qr.created',
  ...aboutCode(code),
  data: {
    dataType: code.dataType,
    secure: secureKindsOf(code),
    ...ownFieldsOf(code),
    ...(code.importId !== null && { importId: code.importId }),
  },
});

/** `style` is handled separately, see below. */
const keys = (Object.keys(columnOf) as (keyof NewCode)[]).filter((key) => key !== 'style');
const columns = ['id', ...keys.map((key) => columnOf[key])].join(', ');
const sent = columns
  .replace('tag_ids', 'tag_ids::integer[]')
  .replace('created_at', 'coalesce(given.created_at, now())');
const types = ['text', ...keys.map((key) => typeOf[key])];

const typed = (type: string, index: number): string => `$${index + 3}::${type}`;
const [keyPlace, hostPlace, workspacePlace] = [0, 1, 2].map((at) => typed('text', types.length + at)) as [
  string,
  string,
  string,
];

/**
 * Codes of one run often share a style, whose logo may have a megabyte: each style is sent once, and codes refer to it.
 * What is the same for all codes is asked once, by parameters: PostgreSQL expects ten rows of an unknown array. If something was asked
 * for each row, a plan for all calls would seem dearer to it than a new one for each.
 * @param given the codes by their columns
 */
const insertText = (given: string): string => `
  INSERT INTO codes (${columns}, style, link_base)
  SELECT ${sent}, ($1::jsonb[])[style_place], ${newLinkBase(workspacePlace)}
  FROM ${given}
  WHERE NOT EXISTS (SELECT FROM erased_codes gone WHERE gone.code_id = given.id)
    AND ${mayCreateAt(keyPlace, workspacePlace, hostPlace)}
  ORDER BY place
  ON CONFLICT DO NOTHING RETURNING ${newCodeColumns}`;

const insertMany = {
  name: 'insert-codes',
  text: insertText(
    `unnest($2::integer[], ${types.map((type, index) => `${typed(type, index)}[]`).join(', ')})
       WITH ORDINALITY AS given (style_place, ${columns}, place)`,
  ),
};

/** Thirty arrays of one value cost as much as the rest of the statement. */
const insertOne = {
  name: 'insert-code',
  text: insertText(
    `(VALUES ($2::integer, ${types.map(typed).join(', ')}, 1)) AS given (style_place, ${columns}, place)`,
  ),
};

/** Distinguishes styles by their text. @returns the texts, and for each code the position of its own, from 1 */
const shareStyles = (codes: readonly NewCode[]) => {
  const places = new Map<string, number>();
  const placeOf = ({ style }: NewCode): number | null => {
    if (!style) return null;
    const text = JSON.stringify(style);
    const place = places.get(text) ?? places.size + 1;
    places.set(text, place);
    return place;
  };
  const stylePlaces = codes.map(placeOf);
  return { styles: [...places.keys()], stylePlaces };
};

/** @returns the codes whose ids and external ids were new, by their places; of two with the same one, the first */
const insertCodes = async (
  tx: Transaction,
  placed: readonly (readonly [place: number, code: IdentifiedCode])[],
  sharedHost: string,
): Promise<Map<number, Code>> => {
  const codes = placed.map(
    ([, code]): IdentifiedCode => ({
      status: 'active',
      tagIds: '{}',
      archived: false,
      healthCheck: false,
      analytics: 'full',
      ...code,
    }),
  );
  const { styles, stylePlaces } = shareStyles(codes);
  const one = codes.length === 1 ? codes[0] : undefined;
  const listed = [
    stylePlaces,
    codes.map(({ id }) => id),
    ...keys.map((key) => codes.map((code) => parameter(code[key]) ?? null)),
  ];
  const { rows } = await tx.query<Code>({
    ...(one ? insertOne : insertMany),
    values: [
      styles,
      ...(one ? listed.map(([value]) => value) : listed),
      currentKeyId(),
      sharedHost,
      codes[0]!.workspaceId,
    ],
  });
  const byId = new Map(rows.map((code) => [code.id, code]));
  const created = new Map<number, Code>();
  for (const [place, { id }] of placed) {
    const code = byId.get(id);
    if (code) created.set(place, code);
    byId.delete(id);
  }
  return created;
};
