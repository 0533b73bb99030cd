/** Rows that are bodies of static codes. */
import type { StaticCodeBody } from '#schemas/api/code-bodies.ts';
import { formatOf } from '#schemas/api/images.ts';
import { isLogoUrl } from '#schemas/api/row-logo.ts';
import type { FetchRowLogo, RowLogos } from '../../logos/row-logos.ts';
import type { DrawStaticCode } from '../../static/static.ts';
import type { DrawRow } from './pictures.ts';

export interface StaticRowOptions {
  draw: DrawStaticCode;
  logos: RowLogos;
  /** Checks the body of a row. @throws {ClientError} */
  read(body: unknown): StaticCodeBody;
}

/** The body with its logo fetched, if it is named by URL. */
const withLogo = async (body: StaticCodeBody, fetchLogo: FetchRowLogo): Promise<StaticCodeBody> =>
  body.image !== undefined && isLogoUrl(body.image) ? { ...body, image: await fetchLogo(body.image) } : body;

/** @returns a function that is called for each slice */
export const createStaticRows =
  ({ draw, logos, read }: StaticRowOptions) =>
  (workspaceId: string): DrawRow => {
    const fetchLogo = logos.run(workspaceId);
    return async (row) => {
      const body = await withLogo(read(row), fetchLogo);
      const { body: bytes, warnings } = await draw({ workspaceId }, body, 'style');
      return { bytes, format: formatOf(body.returnType), warnings };
    };
  };
