/** Keys of the storage. */
import { exportPrefix } from '../../exports/keys.ts';

export const pdfKey = (jobId: string): string => `${exportPrefix(jobId)}sheets.pdf`;
