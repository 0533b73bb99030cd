/** The processes that read spreadsheets, with their metrics. */
import { oncePerProcess } from '../../../framework/feature.ts';
import type { Services } from '../../../framework/services.ts';
import { refusals } from '../../../platform/fair-queue/fair-gate.ts';
import {
  createSpreadsheetReader,
  type SpreadsheetReader,
  spreadsheetEnds,
} from '../../../platform/spreadsheets/spreadsheet-reader.ts';

const openReader = ({ metrics, onClose }: Pick<Services, 'metrics' | 'onClose'>): SpreadsheetReader => {
  const reader = createSpreadsheetReader({
    onEnded: metrics.counter(
      'spreadsheets_total',
      'Spreadsheets, by how their reading ended',
      'how',
      spreadsheetEnds,
    ),
    onRefused: metrics.counter(
      'spreadsheets_refused_total',
      'Spreadsheets that were turned away',
      'why',
      refusals,
    ),
  });
  metrics.gauge('spreadsheets_running', 'Spreadsheets that are being read', () => reader.load().running);
  metrics.gauge('spreadsheets_waiting', 'Spreadsheets that wait to be read', () => reader.load().waiting);
  onClose(() => reader.close());
  return reader;
};

export const spreadsheetReaderOf = oncePerProcess(openReader);
