/** The steps of a single create or update, adapted to a batch: queued with others, and shared steps only once. */
import type { BrandKit } from '../../brand-kits/brand-kit.ts';
import type { BrandKits } from '../../brand-kits/kits.ts';
import type { KindProofs } from '../../pictures/kind-proofs.ts';
import type { CodePreparationOptions } from '../prepare-code.ts';
import type { BatchQueue } from './batch-queue.ts';

export interface BatchStepsOptions
  extends Pick<CodePreparationOptions, 'passwords' | 'seal' | 'labels' | 'linkBaseOf'> {
  kits: Pick<BrandKits, 'applicable' | 'find'>;
  kinds: KindProofs;
}

/** How many pieces of work one batch has in each shared queue. */
const hashesAtOnce = 2;
const sealsAtOnce = 2;
const picturesAtOnce = 4;

/** Calls with the same name get the same promise within a batch. */
const createOnce = <T>() => {
  const begun = new Map<string, Promise<T>>();
  return (name: string, begin: () => Promise<T>): Promise<T> => {
    const known = begun.get(name) ?? begin();
    begun.set(name, known);
    return known;
  };
};

/** For the rows of one workspace. */
export const createBatchSteps = (
  options: BatchStepsOptions,
  queue: BatchQueue,
): Omit<CodePreparationOptions, 'ids'> => {
  const { passwords, seal, kits, kinds, labels, linkBaseOf } = options;
  const hashing = queue.line(hashesAtOnce);
  const sealing = queue.line(sealsAtOnce);
  const drawing = queue.line(picturesAtOnce);
  const applicableOnce = createOnce<BrandKit>();
  const foundOnce = createOnce<BrandKit | undefined>();
  const proofOnce = createOnce<readonly string[]>();
  const folderOnce = createOnce<void>();
  const tagsOnce = createOnce<string>();
  const linkBaseOnce = createOnce<string | null>();
  return {
    passwords: {
      hash: (password, workspaceId) => hashing(() => passwords.hash(password, workspaceId)),
    },
    seal: (payload, encryption, workspaceId) => sealing(() => seal(payload, encryption, workspaceId)),
    kits: {
      applicable: (workspaceId, kitId) => applicableOnce(kitId, () => kits.applicable(workspaceId, kitId)),
    },
    labels: {
      tagIds: (workspaceId, names, dryRun) =>
        tagsOnce(JSON.stringify(names), () => labels.tagIds(workspaceId, names, dryRun)),
      requireFolder: (workspaceId, folderId) =>
        folderOnce(folderId, () => labels.requireFolder(workspaceId, folderId)),
    },
    linkBaseOf: (workspaceId) => linkBaseOnce(workspaceId, () => linkBaseOf(workspaceId)),
    async prove(code, style) {
      const { brandKitId } = style;
      const find = (kitId: string) => foundOnce(kitId, () => kits.find(code.workspaceId, kitId));
      const kind = kinds.of(code, style, brandKitId === undefined ? undefined : await find(brandKitId));
      const prove = () => drawing(() => kinds.prove(kind, code, style));
      // Whether a style with a logo needs its own proof is known once it is drawn.
      return kind.hasLogo ? prove() : proofOnce(kind.name, prove);
    },
  };
};
