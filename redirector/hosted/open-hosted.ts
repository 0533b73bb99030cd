/** Wires up the serving of hosted pages in one process, and the recorder of their views. */
import type { ReportedView } from '#schemas/page-document.ts';
import type { Tokens } from '#shared/form-token.ts';
import type { Logger } from '#shared/logger.ts';
import { counter, type MetricDefinition } from '#shared/prometheus.ts';
import type { AddressLimit } from '../limits/address-limit.ts';
import { createLineEncoder } from '../recording/line-encoder.ts';
import { controlPlaneDeliveryMetrics, spoolMetrics } from '../recording/metrics.ts';
import { createRecorder } from '../recording/recorder.ts';
import type { Shipper } from '../recording/shipper.ts';
import type { Spool } from '../recording/spool.ts';
import { createPageServer, type PageServer } from './page-server.ts';

export interface OpenHostedOptions {
  /** Room for views in memory, on their way to the spool. */
  batchBytes: number;
  spool: Spool;
  shipper: Shipper;
  addressLimit: AddressLimit;
  tokens: Tokens;
  /** Whether QR_HOST is reached over https. */
  secure: boolean;
  logger: Logger;
}

export interface OpenHosted {
  readonly pageServer: PageServer;
  /** Resolves once all views recorded so far are stored and their answers released. */
  flush(): Promise<void>;
  readonly metrics: MetricDefinition[];
}

/** An id of a page, and the JSON around it. */
const viewBytesMax = 128;

export const openHosted = (options: OpenHostedOptions): OpenHosted => {
  const { batchBytes, spool, shipper, addressLimit, tokens, secure, logger } = options;
  const recorder = createRecorder(createLineEncoder<ReportedView>(viewBytesMax), batchBytes, spool);
  const pageServer = createPageServer({
    addressLimit,
    tokens,
    recordView: (id, reply) => recorder.record({ id }, reply),
    secure,
    logger,
  });
  return {
    pageServer,
    flush: recorder.flush,
    metrics: [
      counter('pages_total', 'Requests for hosted pages, by outcome', () => pageServer.statistics, 'outcome'),
      ...spoolMetrics(spool, 'page_view_'),
      ...controlPlaneDeliveryMetrics({ name: 'page_views', what: 'Views of hosted pages' }, spool, shipper),
      counter(
        'page_views_dropped_total',
        'Views of hosted pages that are not counted, by reason',
        () => spool.statistics.dropped,
        'reason',
      ),
    ],
  };
};
