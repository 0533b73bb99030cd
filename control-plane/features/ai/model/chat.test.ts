/** The exchange with a server that does not know what others know. */
import { beforeAll, expect, test } from 'vitest';
import { afterFile } from '../../../../deploy/testing/local.ts';
import { createOperatorPost, type OperatorPost } from '../../../platform/outgoing/operator-post.ts';
import { fails, type ModelServer, says, startModelServer } from '../testing/model-server.ts';
import { createChat } from './chat.ts';

let server: ModelServer;
let poster: OperatorPost;

beforeAll(async () => {
  server = await startModelServer();
  poster = createOperatorPost();
  afterFile(() => poster.close());
});

const ask = () => ({
  messages: [{ role: 'user' as const, content: 'hello' }],
  schema: { name: 'greeting', schema: { type: 'object' } },
  signal: AbortSignal.timeout(30_000),
});

const newChat = (url = server.url) => createChat({ url, model: 'small', key: undefined }, poster);

test.each([400, 422, 501])(
  'a server that refuses the format with %i is asked without it, then and later',
  async (status) => {
    const chat = newChat();
    server.answer((response, received) =>
      (received.body.response_format ? fails(status) : says('hi'))(response, received),
    );
    expect(await chat.ask(ask())).toBe('hi');
    expect(await chat.ask(ask())).toBe('hi');
    expect(server.received.map(({ body }) => body.response_format !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
    expect(server.received[0]!.authorization).toBeUndefined();
  },
);

test('a server that refuses the request with and without the format is asked with it later', async () => {
  const chat = newChat();
  server.answer(fails(400));
  await expect(chat.ask(ask())).rejects.toMatchObject({ code: 'BAD_GATEWAY' });
  server.answer(says('hi'));
  expect(await chat.ask(ask())).toBe('hi');
  expect(server.received[0]!.body.response_format).toBeDefined();
});

test('a server that does not answer is unavailable, and so is one that hangs up', async () => {
  await expect(newChat('http://127.0.0.1:9/v1').ask(ask())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  server.answer((response) => response.destroy());
  await expect(newChat().ask(ask())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('the time of a draft ends the exchange, on both sides', async () => {
  let isClosed = false;
  server.answer((response) => {
    response.on('close', () => {
      isClosed = true;
    });
  });
  await expect(newChat().ask({ ...ask(), signal: AbortSignal.timeout(200) })).rejects.toMatchObject({
    code: 'GATEWAY_TIMEOUT',
  });
  await expect.poll(() => isClosed).toBe(true);
});
