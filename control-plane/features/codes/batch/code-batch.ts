/**
 * Many codes of one workspace at once. Each row takes the steps of a single create; steps that rows have in common are taken
 * once: a brand kit is looked up, a style is proven, codes are stored by one statement.
 */
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises';
import type { CreateCodeBody } from '#schemas/api/code-bodies.ts';
import { isLogoUrl } from '#schemas/api/row-logo.ts';
import { ClientError } from '#shared/errors.ts';
import type { AfterCommit } from '../../../creation/creation-request.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Outbox } from '../../../outbox/outbox.ts';
import { RenderTimeout } from '../../../rendering/index.ts';
import type { BrandKit } from '../../brand-kits/brand-kit.ts';
import type { KindProofs } from '../../images/kind-proofs.ts';
import type { FetchRowLogo, RowLogos } from '../../logos/row-logos.ts';
import {
  type CodePreparationOptions,
  createCodePreparation,
  type PrepareCode,
  type PreparedCode,
} from '../prepare-code.ts';
import type { Publishing } from '../publishing/publishing.ts';
import type { Code } from '../store/code.ts';
import { createCodes } from '../store/create.ts';
import { createTurns, TurnMissed, type Turns } from './turns.ts';

/** The default time of one preparation, in milliseconds. Work that has begun by then is finished. */
const timeMsMaxDefault = 3_000;
const tooMuchToDraw =
  'The picture takes too long to draw: give a simpler style, or a smaller width and height';
/** The time after which other work of the process gets its turn, in milliseconds. */
const stretchMs = 10;

/**
 * What became of a row: a code that can be stored; or an error. With the code UNAVAILABLE the error says that the turn of the row did
 * not come in time, since the rows before it, or others, took it all: a later call may prepare it. Any other error is the row's
 * own, and no other try would change it.
 */
export type RowOutcome = { readonly value: PreparedCode } | { readonly error: ClientError };

export interface CodeBatch {
  /**
   * Checks rows and does everything of their creation that takes long: passwords are hashed, payloads sealed, logos
   * fetched, styles proven.
   * Takes its turns in the queues of other requests.
   * @param bodies the body of each code as the client sent it, without the `uid`
   * @param options.timeMsMax default: 3 s; work that has begun by then is finished
   * @returns an entry for each body, in their order; the first row is always begun
   * @throws what is no row's fault, such as that the database is away
   */
  prepare(
    workspaceId: string,
    bodies: readonly unknown[],
    options?: { timeMsMax?: number },
  ): Promise<RowOutcome[]>;
  /**
   * Stores codes: a statement, and one call of the outbox for their `qr.created`.
   * @param afterCommit gets the publishing to redirectors, which never fails
   * @returns the codes in the order of `prepared`
   */
  effect(tx: Transaction, prepared: readonly PreparedCode[], afterCommit: AfterCommit): Promise<Code[]>;
}

export interface CodeBatchOptions extends Omit<CodePreparationOptions, 'prove'> {
  /** @throws {ClientError} for a body that no code can be made of, naming the field */
  check(body: unknown): CreateCodeBody;
  kinds: KindProofs;
  logos: RowLogos;
  outbox: Outbox;
  publishing: Pick<Publishing, 'publishCreated'>;
}

/** Calls of one batch with the same name get the same promise. */
const createOnce = <T>() => {
  const begun = new Map<string, Promise<T>>();
  return (name: string, begin: () => Promise<T>): Promise<T> => {
    const known = begun.get(name) ?? begin();
    begun.set(name, known);
    return known;
  };
};

/** The steps of a single create, as one batch takes them. */
const createBatchPreparation = (options: CodeBatchOptions, turns: Turns): PrepareCode => {
  const { ids, passwords, seal, kits, kinds } = options;
  const hashing = turns.line(2);
  const sealing = turns.line(2);
  const drawing = turns.line(4);
  const kitOnce = createOnce<BrandKit>();
  const proofOnce = createOnce<readonly string[]>();
  return createCodePreparation({
    ids,
    passwords: {
      hash: (password, workspaceId) => hashing(() => passwords.hash(password, workspaceId)),
    },
    seal: (payload, encryption, workspaceId) => sealing(() => seal(payload, encryption, workspaceId)),
    kits: {
      applicable: (workspaceId, kitId) => kitOnce(kitId, () => kits.applicable(workspaceId, kitId)),
    },
    prove(code, style, kit) {
      const kind = kinds.of(code, style, kit);
      return proofOnce(kind, () => drawing(() => kinds.prove(kind, code, style)));
    },
  });
};

/** Lets other work of the process run, where none has for {@link stretchMs}. */
const createBreather = () => {
  let sinceMs = performance.now();
  return async (): Promise<void> => {
    if (performance.now() - sinceMs < stretchMs) return;
    await nextTurnOfLoop();
    sinceMs = performance.now();
  };
};

const later = new ClientError('UNAVAILABLE', 'The turn of this row has not come yet');

/** The row's own refusal; undefined for what is no row's fault. */
const refusalOf = (error: unknown): ClientError | undefined => {
  if (error instanceof TurnMissed) return later;
  // A busy machine may refuse a picture that it can draw; one that is too much to draw must not be tried for ever.
  if (error instanceof RenderTimeout)
    return new ClientError('UNPROCESSABLE', tooMuchToDraw, { cause: error });
  return error instanceof ClientError ? error : undefined;
};

/** What is no row's fault. It is thrown when no row is under way any more. */
interface Fault {
  readonly fault: unknown;
}

const outcomeOf = async (preparing: Promise<PreparedCode>): Promise<RowOutcome | Fault> => {
  try {
    return { value: await preparing };
  } catch (error) {
    const refusal = refusalOf(error);
    return refusal ? { error: refusal } : { fault: error };
  }
};

const unlessFault = (outcome: RowOutcome | Fault): RowOutcome => {
  if ('fault' in outcome) throw outcome.fault;
  return outcome;
};

/** A body whose logo is not named but there. */
const withLogo = async (body: CreateCodeBody, fetchLogo: FetchRowLogo): Promise<CreateCodeBody> =>
  body.image !== undefined && isLogoUrl(body.image) ? { ...body, image: await fetchLogo(body.image) } : body;

export const createCodeBatch = (options: CodeBatchOptions): CodeBatch => ({
  async prepare(workspaceId, bodies, { timeMsMax = timeMsMaxDefault } = {}) {
    const turns = createTurns(timeMsMax);
    const prepareCode = createBatchPreparation(options, turns);
    const fetchLogo = options.logos.run(workspaceId);
    const prepareRow = async (body: unknown): Promise<PreparedCode> =>
      prepareCode(workspaceId, await withLogo(options.check(body), fetchLogo));
    const breathe = createBreather();
    const underWay: Promise<RowOutcome | Fault>[] = [];
    for (const body of bodies) {
      await breathe();
      const isLate = underWay.length > 0 && turns.isOver();
      underWay.push(isLate ? Promise.resolve({ error: later }) : outcomeOf(prepareRow(body)));
    }
    return (await Promise.all(underWay)).map(unlessFault);
  },
  async effect(tx, prepared, afterCommit) {
    const { outbox, ids, publishing } = options;
    const codes = await createCodes(
      tx,
      outbox,
      prepared.map(({ code }) => code),
      ids.create,
    );
    afterCommit(() => publishing.publishCreated(codes));
    return codes;
  },
});
