/** The image endpoint over HTTP: each code's picture for the first time, then the same pictures again. */
import { apiKey, openEnvironment } from '../api/environment.ts';
import { latenciesOf } from '../measure/statistics.ts';

export interface ImageLatencies {
  firstMs: number;
  cachedMs: number;
}

const get = async (url: string): Promise<number> => {
  const startMs = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return performance.now() - startMs;
};

/** Medians, of requests one after the other. */
export const measureImages = async (folder: string, count: number): Promise<ImageLatencies> => {
  const environment = await openEnvironment(folder, count + 50);
  const { controlPlane, ids } = environment;
  const urls = ids.map((id) => `${controlPlane.url}/api/qr/codes/${id}/image?format=png&size=512`);
  const p50 = async (asked: readonly string[]): Promise<number> => {
    const valuesMs = new Float64Array(asked.length);
    for (const [index, url] of asked.entries()) valuesMs[index] = await get(url);
    return latenciesOf(valuesMs).p50Ms;
  };
  try {
    await p50(urls.slice(count));
    return { firstMs: await p50(urls.slice(0, count)), cachedMs: await p50(urls.slice(0, count)) };
  } finally {
    await environment.close();
  }
};
