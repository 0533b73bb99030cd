/** Every query that reads or changes a row by its id also filters by the workspace. */

import { afterAll, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { programFiles, readSource } from '../../../deploy/structure/sources.ts';
import { createTestDatabase } from '../../../deploy/testing/index.ts';
import { createPool } from './pool.ts';

const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'));
afterAll(() => pool.end());

/** Functions that serve every workspace, each with the reason. */
const ofAnyWorkspace = {
  findCodesForRedirect: 'a redirector serves all codes',
  findPasswordHash: 'a visitor without a workspace enters a password',
  findCodeOfLink: 'a signed link is the permission',
  addViews: 'visitors view pages of every workspace',
  addReportedViews: 'redirectors report views of pages of every workspace',
  findPageStates: 'redirectors hold pages of every workspace',
  findPages: 'a visitor without a workspace opens a page',
  findRevisions: 'a visitor without a workspace opens a page',
  lockForm: 'a visitor without a workspace sends a form',
  createRemoval: 'the form was found by its workspace just before',
  forget: 'jobs of every workspace are worked on',
  forgetOperations: 'a job removes operations that ended long ago, in every workspace',
  forgetPurgedForm: 'the form was found by its workspace just before',
  setLocks: 'an operator locks and unlocks any code',
  lockAnyCode: 'an operator activates any code',
  revokeKey: 'an operator revokes any key; the API has locked it by its workspace just before',
  listKeys: 'the workspaces are the own one and its test data',
  ownerOf: 'it compares the two workspaces',
  updateKey: 'the key was locked by its workspace just before',
  rotateKey: 'the key was locked by its workspace just before',
  writeKeyUses: 'uses of keys of every workspace are written',
  countDone: 'jobs of every workspace are worked on',
  lockUnfinished: 'jobs of every workspace are worked on',
  listWithFiles: 'a job removes files that no operation needs, in every workspace',
  removeExpired: 'a job removes unfetched results, in every workspace',
  claimResult: 'the operation was found by its workspace just before',
  releaseResult: 'the claim was issued for an operation of the workspace',
  removeFetched: 'the claim was issued for an operation of the workspace',
  markStored: 'the image was claimed for the workspace just before',
  noteReferences:
    'a nightly sweep finds the images that pages refer to, in every workspace; it compares the two workspaces',
  listKnown: 'a job removes files that belong to no image, in every workspace',
  forgetImage: 'the image was found by its workspace just before',
  beginAttempt: 'jobs of every workspace are worked on',
  setAside: 'jobs of every workspace are worked on',
  addProgress: 'jobs of every workspace are worked on',
  countFailure: 'jobs of every workspace are worked on',
  completeJob: 'jobs of every workspace are worked on',
  failJob: 'jobs of every workspace are worked on, or the workspace found the job just before',
  endResult: 'the export was found by its workspace just before',
  refundBatch: 'a batch whose mint fails is refunded, in every workspace',
  finishBatch: 'a batch ends with its mint, in every workspace',
  listBatchesById: 'a redirector verifies items of every workspace',
  findBatchFacts: 'redirectors report scans of items of every workspace',
  addScanned: 'redirectors report scans of items of every workspace',
  readKnown: 'redirectors report scans of codes of every workspace; it compares the two workspaces',
  findAudiences: 'one change may have events of several workspaces',
  readWorkspaces: 'redirectors hold documents of every workspace',
  readBrandings: 'redirectors hold documents of every workspace',
  noteFailing: 'deliveries of every workspace are sent',
  noteRecovered: 'deliveries of every workspace are sent',
  noteAnswered: 'deliveries of every workspace are sent',
  pauseThose: 'deliveries of every workspace are sent',
  listQueued: 'the queue of every workspace is kept in order',
  noteOverflow: 'the queue of every workspace is kept in order',
  removeSome: 'a job removes leftovers of deleted webhooks, in every workspace',
  deleteReplays: 'a job removes ended replays, in every workspace',
  claimDue: 'the job checks records of domains of every workspace',
  lockChecked: 'the job checks records, or the domain was found by its workspace just before',
  writeCheck: 'a check is saved for the domain that was locked just before, or for the domain with its name',
  writeSettings: 'the domain was locked by its workspace just before',
  findOwners: 'a task copies the counts of codes of every workspace',
  mergeTags: 'the tags were locked by their workspace just before',
  renameTag: 'the tags were locked by their workspace just before',
  removeTags: 'a task removes the tags that are gone, in every workspace',
  sweepFolders: 'a task removes the folders that are deleted, in every workspace',
  beginRun: 'the import was locked by its workspace just before',
  removeImport: 'the import was found by its workspace just before, or a task removes old ones',
  setCancelled: 'the import was locked by its workspace just before',
  storeCounts: 'jobs of every workspace are worked on',
  forgetExports: 'a task removes exports that ended long ago, in every workspace',
  beginStep: 'jobs of every workspace are worked on',
  endErasure: 'jobs of every workspace are worked on',
  lockErasure: 'jobs of every workspace are worked on',
  readErasure: 'jobs of every workspace are worked on',
  saveEventPlace: 'jobs of every workspace are worked on',
  markEarlier: 'jobs of every workspace are worked on',
  keptDaysOf: 'a round removes scans of every workspace',
  holdRound: 'a round removes scans of every workspace',
  saveAttempt: 'a round removes scans of every workspace',
  endRound: 'a round removes scans of every workspace',
  takeWaiting: 'a round removes scans of every workspace',
  waitAgain: 'late scans of every workspace are looked for',
  replaceByErased: 'the code was locked by its workspace just before',
  findFilter: 'replays of every workspace are worked on',
  findKeyDomains: 'the key is the one that acts',
  lockReport: 'an operator decides reports about codes of every workspace',
  removeOldReports: 'a task removes decided reports, in every workspace',
  storeFinding: 'codes of every workspace are screened',
  readScreened: 'codes of every workspace are screened',
  lockAsScreened: 'codes of every workspace are screened',
  storeReport: 'a visitor without a workspace reports a code',
  writeSuspension: 'an operator suspends any code, and lifts the suspension',
};

const tables = async (): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'workspace_id'`,
  );
  return rows.map(({ name }) => name);
};

interface Statement {
  file: string;
  /** The function that contains it. */
  inside: string;
  sql: string;
}

const functionBefore = (source: string, at: number): string =>
  [...source.slice(0, at).matchAll(/^(?:export )?const (\w+) =/gm)].at(-1)?.[1] ?? '';

const statementsIn = (file: string): Statement[] => {
  const source = readSource(file);
  return [...source.matchAll(/(['`])\s*((?:WITH|SELECT|UPDATE|DELETE|INSERT)\b[\s\S]*?)\1/g)].map(
    (match) => ({
      file,
      inside: functionBefore(source, match.index),
      sql: match[2]!,
    }),
  );
};

const statements = programFiles.filter((file) => file.startsWith('control-plane/')).flatMap(statementsIn);

const findsById = (sql: string, owned: readonly string[]): boolean =>
  new RegExp(`\\b(?:FROM|UPDATE|JOIN) (?:${owned.join('|')})\\b`).test(sql) &&
  /\bWHERE (?:\w+\.)?id (?:=|IN\b)/.test(sql);

test('a row owned by a workspace is found by its id and its workspace', async () => {
  const owned = await tables();
  expect(owned).toEqual(expect.arrayContaining(['codes', 'brand_kits', 'api_keys']));
  const byId = statements.filter(({ sql }) => findsById(sql, owned));
  expect(byId.length).toBeGreaterThan(8);
  const without = byId.filter(({ sql }) => !/\bworkspace_id = \$\d/.test(sql)).map(({ inside }) => inside);
  expect([...new Set(without)].sort()).toEqual(Object.keys(ofAnyWorkspace).sort());
});

test('codes are created and changed in one place, which emits their events; locks, and what takes tags and folders off codes, emit none', () => {
  const writes = statements.filter(({ sql }) => /\b(?:INSERT INTO|UPDATE|DELETE FROM) codes\b/.test(sql));
  expect([...new Set(writes.map(({ file, inside }) => `${file} ${inside}`))].sort()).toEqual([
    'control-plane/features/codes/store/create.ts insertText',
    'control-plane/features/codes/store/erased.ts replaceByErased',
    'control-plane/features/codes/store/locks.ts setLocks',
    'control-plane/features/codes/store/suspensions.ts writeSuspension',
    'control-plane/features/codes/store/write.ts touchCode',
    'control-plane/features/codes/store/write.ts writeCode',
    'control-plane/features/folders/sweep.ts sweepSlice',
    'control-plane/features/tags/sweep.ts sweepSlice',
  ]);
});
