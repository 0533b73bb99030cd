/** The pictures of items in their order, drawn in series of about the same time, a few series ahead. */
import { ClientError } from '#shared/errors.ts';
import type { Renderer, Series, SeriesRefusal } from '../../../../rendering/index.ts';
import { isDeflated } from '../archive/entry.ts';
import type { ExportFile, ExportRequest } from '../request.ts';

/** A picture that somebody waits for may wait for as long; a message to a thread takes a fiftieth of it. */
const seriesMs = 12;
/** Items of a series, at first and at most. */
const seriesItems = { first: 4, max: 500 };
/** One is drawn while the one before is packed. */
const seriesAhead = 2;

/** A picture cannot be drawn: no later try would draw it. */
export class PictureRefusal extends Error {
  override name = 'PictureRefusal';
}

export interface Drawn {
  itemIds: readonly string[];
  series: Series;
}

export interface DrawOptions {
  renderer: Pick<Renderer, 'renderSeries'>;
  workspaceId: string;
  request: ExportRequest;
  format: ExportFile['format'];
  /** What the symbol of an item holds. */
  payloadOf(itemId: string): string;
  /** Whether no further series is to be begun. */
  isOver(): boolean;
}

const nextItems = (items: number, ms: number): number =>
  Math.max(1, Math.min(seriesItems.max, items * 4, Math.floor((items * seriesMs) / ms)));

/** @throws {PictureRefusal} naming the item */
const requireSeries = (answer: Series | SeriesRefusal, itemIds: readonly string[]): Series => {
  if ('data' in answer) return answer;
  const { at, code, message } = answer;
  if (code !== 'UNPROCESSABLE') throw new ClientError(code, message);
  throw new PictureRefusal(`The picture of the item ${itemIds[at]} cannot be drawn: ${message}`);
};

/** @throws {PictureRefusal}; {ClientError} UNAVAILABLE or RATE_LIMITED where the threads have too much to do */
export async function* drawInOrder(itemIds: readonly string[], options: DrawOptions): AsyncGenerator<Drawn> {
  const { renderer, workspaceId, request, format, payloadOf, isOver } = options;
  const { look, width, height } = request;
  const begun: Promise<Drawn>[] = [];
  let [at, size] = [0, seriesItems.first];

  const begin = async (ids: readonly string[]): Promise<Drawn> => {
    const payloads = ids.map(payloadOf);
    const deflates = isDeflated({ format });
    const asked = { payloads, look, format, width, height, deflates };
    const series = requireSeries(await renderer.renderSeries(asked, workspaceId), ids);
    size = nextItems(ids.length, series.ms);
    return { itemIds: ids, series };
  };

  const beginMore = (): void => {
    while (begun.length < seriesAhead && at < itemIds.length && (at === 0 || !isOver())) {
      const drawing = begin(itemIds.slice(at, at + size));
      // If it is no longer needed, its failure does not matter.
      drawing.catch(() => undefined);
      begun.push(drawing);
      at += size;
    }
  };

  for (beginMore(); begun.length > 0; beginMore()) yield await begun.shift()!;
}
