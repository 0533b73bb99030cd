/** The API client of the examples. */
import { z } from 'zod';

export interface ApiClient {
  /**
   * @param target such as `/api/qr/menus`
   * @throws with the API's own message if it refuses, or if it does not answer in time
   */
  call<T>(method: string, target: string, answer: z.ZodType<T>, body?: unknown): Promise<T>;
  /** Whether the resource exists. Deleted pages and inactive codes do not. */
  holds(target: string): Promise<boolean>;
  /** Deletes it, if it exists. */
  remove(target: string): Promise<void>;
}

/** A large picture takes seconds to encode on a busy machine. */
const timeoutMs = 60_000;

const refusal = z.object({ error: z.string() });
const resource = z.object({ status: z.string().optional() });

const refusalOf = (text: string): string => {
  try {
    return refusal.parse(JSON.parse(text)).error;
  } catch {
    return text.slice(0, 100);
  }
};

/** @param signal ends calls that are under way */
export const createApiClient = (url: string, apiKey: string, signal: AbortSignal): ApiClient => {
  const request = (method: string, target: string, body?: unknown): Promise<Response> =>
    fetch(`${url}${target}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    async call(method, target, answer, body) {
      const response = await request(method, target, body);
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${refusalOf(text)}`);
      return answer.parse(JSON.parse(text));
    },
    async holds(target) {
      const response = await request('GET', target);
      if (response.status === 404) return false;
      return resource.parse(await response.json()).status !== 'inactive';
    },
    async remove(target) {
      const response = await request('DELETE', target);
      await response.body?.cancel();
      if (!response.ok && response.status !== 404) throw new Error(`DELETE ${target}: ${response.status}`);
    },
  };
};
