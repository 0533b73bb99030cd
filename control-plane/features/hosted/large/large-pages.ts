/** Reads and renders large pages in the threads that draw pictures. Workspaces take turns there. */
import { ClientError } from '#shared/errors.ts';
import type { BodyLimit } from '../../../api/http/body.ts';
import { yieldToOthers } from '../../../api/http/steps.ts';
import type { Renderer } from '../../../rendering/index.ts';
import type { HostedPage } from '../hosted-page.ts';
import type { RenderContext, UploadedImage } from '../page-kind.ts';
import type { ChangedPage, GivenChange, NewPage } from '../page-rules.ts';
import type { ImageData, LargeRenderedPage, LargeTask, PageOutline, ReadPage } from './tasks.ts';

export interface LargePages {
  /** Transfers the bytes to the thread. @throws {ClientError} if the body is invalid, or if the queue is full */
  readNew(bytes: Buffer, limit: BodyLimit, workspaceId: string): Promise<ReadPage<NewPage>>;
  readChange(bytes: Buffer, limit: BodyLimit, workspaceId: string): Promise<ReadPage<GivenChange>>;
  /** @see checkedLanguage */
  checkChanged(sent: readonly string[], changed: ChangedPage, workspaceId: string): Promise<string>;
  outline(page: HostedPage): Promise<PageOutline>;
  render(page: HostedPage, context: RenderContext): Promise<LargeRenderedPage>;
}

const refusals: Partial<Record<string, string>> = {
  RATE_LIMITED: 'Too many of your large pages are being read or shown; send fewer at once',
  UNAVAILABLE: 'Too many large pages are being read or shown; try again shortly',
};

/** Rewords refusals of the full queue: its own messages speak of pictures. */
const inOurWords = (error: unknown): unknown => {
  const message = error instanceof ClientError ? refusals[error.code] : undefined;
  if (message === undefined || !(error instanceof ClientError)) return error;
  return new ClientError(error.code, message, { cause: error, retryAfterSeconds: 2 });
};

const dataOf = ({ width, height, widths, placeholder, urlOf }: UploadedImage): ImageData => ({
  width,
  height,
  widths,
  placeholder,
  urls: {
    avif: widths.map((one) => urlOf(one, 'avif')),
    webp: widths.map((one) => urlOf(one, 'webp')),
  },
});

/** A buffer that shares its memory cannot be transferred, so it is copied. */
const owned = (bytes: Buffer): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes);

/** @param module URL of a module whose default export is of in-thread.ts */
export const createLargePages = (renderer: Renderer, module: string): LargePages => {
  const run = async <Answer>(
    input: LargeTask,
    workspaceId: string,
    transfer?: readonly ArrayBuffer[],
  ): Promise<Answer> => {
    // Megabytes of text were just read from the database, and are about to be copied to the thread.
    await yieldToOthers();
    try {
      return (await renderer.work({ module, input }, workspaceId, transfer)) as Answer;
    } catch (error) {
      throw inOurWords(error);
    }
  };

  const read = <Given extends NewPage | GivenChange>(
    what: 'create' | 'change',
    given: Buffer,
    limit: BodyLimit,
    workspaceId: string,
  ): Promise<ReadPage<Given>> => {
    const bytes = owned(given);
    return run({ do: what, bytes, limit }, workspaceId, [bytes.buffer]);
  };

  return {
    readNew: (bytes, limit, workspaceId) => read('create', bytes, limit, workspaceId),
    readChange: (bytes, limit, workspaceId) => read('change', bytes, limit, workspaceId),
    checkChanged: (sent, changed, workspaceId) => run({ do: 'checkChanged', sent, changed }, workspaceId),
    outline: ({ contentText, workspaceId }) => run({ do: 'outline', contentText: contentText! }, workspaceId),
    render: (page, { images, ...context }) =>
      run(
        {
          do: 'render',
          page,
          context: { ...context, images: [...images].map(([url, image]) => [url, dataOf(image)] as const) },
        },
        page.workspaceId,
      ),
  };
};
