/** Backup and restore of all state, by verbs of the operator. */
import type { Feature } from '../../framework/feature.ts';
import { backupVerbs } from './verbs.ts';

export const backup: Feature = { name: 'backup', verbs: backupVerbs };
