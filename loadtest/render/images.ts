/** The image endpoint over HTTP. */
import { openApiEnvironment } from '../bench/api-environment.ts';
import { apiKey } from '../bench/planes.ts';
import { latenciesOf } from '../measure/statistics.ts';
import type { Context } from './renderer.ts';

const timePicture = async (url: string): Promise<number> => {
  const startMs = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return performance.now() - startMs;
};

/** The image endpoint over HTTP, one request after the other: each code's picture for the first time, then the same pictures again. */
export const measureImages = async ({ folder, quick: isQuick, closer }: Context) => {
  const count = isQuick ? 50 : 300;
  const { controlPlane, ids } = await openApiEnvironment(closer, { build: folder, codes: count + 50 });
  const urls = ids.map((id) => `${controlPlane.url}/api/qr/codes/${id}/image?format=png&size=512`);
  const p50 = async (asked: readonly string[]): Promise<number> => {
    const valuesMs = new Float64Array(asked.length);
    for (const [index, url] of asked.entries()) valuesMs[index] = await timePicture(url);
    return latenciesOf(valuesMs).p50Ms;
  };
  await p50(urls.slice(count));
  return { firstMs: await p50(urls.slice(0, count)), cachedMs: await p50(urls.slice(0, count)) };
};
