/** Forms as visitors submit them over HTTP, to a real control plane. */
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FormObject } from '#schemas/api/forms.ts';
import type { SubmissionObject } from '#schemas/api/submissions.ts';
import { startRelay } from '../../../../deploy/testing/relay.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { startPlaneProcess } from '../../../testing/plane-process.ts';
import {
  anyAddress,
  encoded,
  inBrowser,
  inScript,
  post,
  shownToken,
  tokens,
  type Values,
} from '../testing/visitors.ts';

let plane: TestControlPlane;
let other: TestControlPlane;
let own: Workspace;

const environment = { TRUSTED_PROXIES: '127.0.0.1' };

beforeAll(async () => {
  plane = await startTestControlPlane({ environment });
  other = await startTestControlPlane({ environment, databaseUrl: plane.databaseUrl });
  own = await plane.workspace({ plan: 'growth' });
});

const fields = [
  { id: 'email', type: 'email', label: 'E-mail', required: true },
  { id: 'note', type: 'textarea', label: 'Note' },
];

const createForm = async (more: object = {}): Promise<string> => {
  const { status, body } = await own.call('POST', '/api/qr/forms', { name: 'Contact', fields, ...more });
  expect(status).toBe(201);
  return (body as FormObject).formId;
};

interface Submissions {
  form: FormObject;
  submissions: SubmissionObject[];
}
const submissionsOf = async (formId: string): Promise<Submissions> =>
  (await own.call('GET', `/api/qr/forms/${formId}/submissions`)).body as Submissions;
const valuesOf = async (formId: string) =>
  (await submissionsOf(formId)).submissions.map(({ values }) => values);

const ann: Values = { email: 'ann@example.com', note: 'Hello' };
/** Each answer must match the OpenAPI document. */
const send = async (
  formId: string,
  values: Values = ann,
  { token = shownToken(formId), url = plane.url, ...headers }: Record<string, string> = inBrowser,
) => {
  const response = await post(url, formId, encoded(values, { _token: token }), headers);
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const body: unknown = isJson ? await response.clone().json() : undefined;
  plane.contract.check('POST', `/f/${formId}`, { status: response.status, headers: response.headers, body });
  return response;
};

const page = async (response: Response): Promise<string> => {
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(response.headers.get('content-security-policy')).not.toContain('unsafe-inline');
  expect(response.headers.get('cache-control')).toBe('no-store');
  return response.text();
};

const tokenIn = (text: string): string => /name="_token" value="([^"]+)"/.exec(text)![1]!;

describe('a form that is sent', () => {
  test('is stored with ip, user agent, and its page’s referrer; and is shown by the API as SPEC says', async () => {
    const formId = await createForm();
    const opened = await fetch(`${plane.url}/f/${formId}`, {
      headers: { ...inBrowser, referer: 'https://shop.example/contact' },
    });
    const token = tokenIn(await opened.text());
    const { shown } = tokens.read(formId, token, new Date());
    expect(shown!.referrer).toBe('https://shop.example/contact');
    const before = Date.now();
    const response = await send(formId, ann, {
      ...inBrowser,
      token: shownToken(formId, 5_000, shown!.referrer),
      'x-forwarded-for': '2001:db8::1234:5',
      'user-agent': `Mozilla/5.0 ${'x'.repeat(600)}`,
      referer: `https://qr.example.com/f/${formId}`,
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, `/f/${formId}?sent=1`]);
    const { form, submissions } = await submissionsOf(formId);
    expect(form).toMatchObject({
      formId,
      submissionCount: 1,
      fields: expect.any(Array),
      redirectAfterSubmit: null,
    });
    expect(submissions).toEqual([
      {
        submissionId: expect.stringMatching(/^subm_[1-9A-HJ-NP-Za-km-z]{16}$/),
        values: ann,
        ip: '2001:db8::1234:5',
        userAgent: `Mozilla/5.0 ${'x'.repeat(600)}`.slice(0, 512),
        referrer: 'https://shop.example/contact',
        createdAt: expect.any(Number),
      },
    ]);
    expect(submissions[0]!.createdAt).toBeGreaterThanOrEqual(before - 1_000);
    const { body } = await own.call('GET', `/api/qr/forms/${formId}`);
    expect(body).toMatchObject({ submissionCount: 1 });
  });

  test('leads to a thank-you page, in the owner’s words or ours', async () => {
    const formId = await createForm({ thankYouMessage: 'We <b>answer</b> within a day.' });
    const thanks = await fetch(`${plane.url}/f/${formId}?sent=1`, { headers: inBrowser });
    const text = await thanks.text();
    expect(text).toContain('We &lt;b&gt;answer&lt;/b&gt; within a day.');
    expect(text).not.toContain('_token');
    await own.call('PATCH', `/api/qr/forms/${formId}`, { thankYouMessage: null });
    const plain = await fetch(`${plane.url}/f/${formId}?sent=1`, { headers: inBrowser });
    expect(await plain.text()).toContain('Your answers have arrived.');
  });

  test('redirects to redirectAfterSubmit if that is set', async () => {
    const formId = await createForm({ redirectAfterSubmit: 'https://bücher.example/danke?von=ü' });
    const response = await send(formId);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      'https://xn--bcher-kva.example/danke?von=%C3%BC',
    ]);
  });

  test('is answered with JSON on request', async () => {
    const formId = await createForm();
    const response = await send(formId, ann, inScript);
    expect([response.status, await response.json()]).toEqual([200, { location: `/f/${formId}?sent=1` }]);
    const refused = await send(formId, { email: 'nobody' }, inScript);
    const redirected = await send(formId);
    expect([refused.status, redirected.status]).toEqual([422, 303]);
    for (const { headers } of [response, refused, redirected])
      expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('invalid values', () => {
  test('are shown again, each with its error, and nothing is stored', async () => {
    const formId = await createForm();
    const response = await send(formId, { email: 'nobody', note: 'I typed\r\na lot' });
    expect(response.status).toBe(422);
    const text = await page(response);
    expect(text).toMatch(
      /<input type="email"[^>]* value="nobody"[^>]* aria-describedby="e.email" aria-invalid="true">/,
    );
    expect(text).toContain('<p class="fault" id="e.email">Please enter an email address');
    expect(text).toContain('<a href="#f.email"><bdi>E-mail</bdi>');
    expect(text).toContain('I typed\na lot</textarea>');
    expect(await valuesOf(formId)).toEqual([]);
  });

  test('are named in JSON, in the language of the form', async () => {
    const formId = await createForm({
      description: 'Bitte schreiben Sie uns, was Sie gerne wissen möchten.',
      fields: [{ id: 'a', type: 'email', label: 'Ihre E-Mail-Adresse', required: true }],
    });
    const response = await send(formId, { a: '' }, inScript);
    expect([response.status, await response.json()]).toEqual([
      422,
      {
        error: 'Some values are refused: see faults',
        code: 'UNPROCESSABLE',
        token: expect.any(String),
        faults: [{ field: 'a', label: 'Ihre E-Mail-Adresse', message: 'Bitte füllen Sie dieses Feld aus.' }],
        docUrl: expect.stringMatching(/\/docs\/errors#UNPROCESSABLE$/),
        requestId: response.headers.get('request-id'),
      },
    ]);
  });

  test('are never markup in an answer', async () => {
    const hostile = '</textarea><script>alert(1)</script>"\'><img src=x onerror=alert(1)><!--fill-->';
    const formId = await createForm({
      name: hostile.slice(0, 60),
      fields: [
        { id: 'a', type: 'text', label: hostile, placeholder: hostile, helpText: hostile },
        { id: 'b', type: 'textarea', label: 'B', maxLength: 1 },
        { id: 'c', type: 'radio', label: 'C', options: [hostile], required: true },
        { id: 'd', type: 'select', label: 'D', options: [hostile] },
      ],
    });
    const response = await send(formId, { a: hostile, b: hostile, c: hostile, d: hostile });
    const text = await page(response);
    expect(response.status).toBe(422);
    expect(text.match(/<script>/g)).toHaveLength(1);
    expect(text).not.toMatch(/<img|<!--/);
  });
});

describe('one page stores one submission', () => {
  test('even if it is sent many times at once, to several control planes', async () => {
    const formId = await createForm();
    const token = shownToken(formId);
    // A busy machine without a free connection answers 503: the visitor retries.
    const sendUntilHeard = async (url: string): Promise<number> => {
      const { status } = await send(formId, ann, { ...inBrowser, token, url });
      return status === 503 ? sendUntilHeard(url) : status;
    };
    const statuses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => sendUntilHeard(index % 2 ? plane.url : other.url)),
    );
    expect(statuses).toEqual(Array(12).fill(303));
    const { form, submissions } = await submissionsOf(formId);
    expect([submissions.length, form.submissionCount]).toEqual([1, 1]);
  });

  test('and says so if it is sent again with other values, which its visitor must then confirm', async () => {
    const formId = await createForm();
    const token = shownToken(formId);
    await send(formId, ann, { ...inBrowser, token });
    const bob = { ...ann, email: 'bob@example.com' };
    const again = await send(formId, bob, { ...inBrowser, token });
    expect(again.status).toBe(409);
    const text = await page(again);
    expect(text).toContain('Other answers were already sent from this page.');
    expect(text).toContain('value="bob@example.com"');
    expect((await send(formId, bob, { ...inBrowser, token: tokenIn(text) })).status).toBe(303);
    expect(await valuesOf(formId)).toEqual([bob, ann]);
  });
});

describe('nothing is stored, and the input is kept,', () => {
  const keeps = async (response: Response, sentence: string): Promise<string> => {
    const text = await page(response);
    expect(text).toContain(sentence);
    expect(text).toContain('value="ann@example.com"');
    return text;
  };

  test('of a form that is sent less than 2 seconds after it was shown; the same page works later', async () => {
    const formId = await createForm();
    // Shown half a minute in the future, so that it is too early even on a busy machine.
    const aheadMs = 30_000;
    const madeAtMs = Date.now();
    const token = shownToken(formId, -aheadMs);
    const response = await send(formId, ann, { ...inBrowser, token });
    expect(response.status).toBe(422);
    expect(tokenIn(await keeps(response, 'That was quick.'))).toBe(token);
    const { retryAfterMs } = (await (await send(formId, ann, { ...inScript, token })).json()) as {
      retryAfterMs: number;
    };
    expect(retryAfterMs).toBeLessThanOrEqual(aheadMs + 2_000);
    expect(retryAfterMs).toBeGreaterThanOrEqual(aheadMs + 2_000 - (Date.now() - madeAtMs));
    expect(await valuesOf(formId)).toEqual([]);
  });

  test('of a form with a filled-in hidden field', async () => {
    const formId = await createForm();
    const token = shownToken(formId);
    const response = await post(
      plane.url,
      formId,
      encoded(ann, { _token: token, _subject: 'Buy' }),
      inBrowser,
    );
    expect(response.status).toBe(422);
    const text = await keeps(response, 'A hidden field was filled in');
    expect(text).not.toContain('Buy');
    expect((await send(formId, ann, { ...inBrowser, token: tokenIn(text) })).status).toBe(303);
  });

  test('of a form with a repeated hidden field or token', async () => {
    const formId = await createForm();
    const token = shownToken(formId);
    const body = encoded(ann, { _token: token });
    const trapped = await post(plane.url, formId, `${body}&_subject=&_subject=Buy`, inBrowser);
    expect(trapped.status).toBe(422);
    await keeps(trapped, 'A hidden field was filled in');
    const twice = await post(plane.url, formId, `${body}&_token=${token}`, inBrowser);
    expect(twice.status).toBe(422);
    await twice.body?.cancel();
    expect(await valuesOf(formId)).toEqual([]);
  });

  test.each([
    ['that has no token', () => ''],
    ['of a page that was shown yesterday', (formId: string) => shownToken(formId, 25 * 60 * 60 * 1000)],
    ['with the token of another form', () => shownToken('form_1111111111111111')],
    ['with an invented token', () => 'a.b.c.d'],
  ])('of a form %s', async (_, tokenOf) => {
    const formId = await createForm();
    const response = await send(formId, ann, { ...inBrowser, token: tokenOf(formId) });
    expect(response.status).toBe(422);
    const fresh = tokenIn(await keeps(response, 'Your answers are still here'));
    expect(tokens.read(formId, fresh, new Date()).state).toBe('valid');
    expect(await valuesOf(formId)).toEqual([]);
  });
});

test('a form sent from another site is rejected', async () => {
  const formId = await createForm();
  const statusOf = async (headers: Record<string, string>) =>
    (await send(formId, { ...ann, note: String(Math.random()) }, { ...inBrowser, ...headers })).status;
  expect(await statusOf({ origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf({ origin: 'null' })).toBe(403);
  expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await valuesOf(formId)).toEqual([]);
  expect(await statusOf({ origin: 'https://qr.example.com', 'sec-fetch-site': 'same-origin' })).toBe(303);
  expect(await statusOf({ origin: 'http://localhost:3000' })).toBe(303);
});

test('a paused form says that it is closed, a deleted or unknown one is 404; neither stores anything', async () => {
  const formId = await createForm();
  await own.call('PATCH', `/api/qr/forms/${formId}`, { status: 'paused' });
  const paused = await send(formId);
  expect([paused.status, await paused.text()]).toEqual([404, expect.stringContaining('This form is closed')]);
  await own.call('PATCH', `/api/qr/forms/${formId}`, { status: 'active' });
  await own.call('DELETE', `/api/qr/forms/${formId}`);
  for (const id of [formId, 'form_1111111111111111', 'nonsense']) {
    const gone = await send(id);
    expect([gone.status, await gone.text()]).toEqual([
      404,
      expect.stringContaining('This page does not exist'),
    ]);
  }
});

test('one address may send 30 forms a minute; then the answer says when to retry', async () => {
  const formId = await createForm();
  const address = { 'x-forwarded-for': anyAddress() };
  for (let at = 0; at < 30; at++)
    expect((await send(formId, ann, { ...inScript, ...address, token: 'x' })).status).toBe(422);
  const refused = await send(formId, ann, { ...inBrowser, ...address });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.text()).toContain('try again in a minute');
  expect((await send(formId)).status).toBe(303);
});

test('each started 64 KB of a form count as one of the 30', async () => {
  const formId = await createForm({ fields: [...fields, { id: 'more', type: 'textarea', label: 'More' }] });
  const address = { 'x-forwarded-for': anyAddress() };
  const large = `_token=x&f.note=${'x'.repeat(130 * 1_024)}`;
  for (let at = 0; at < 10; at++)
    expect((await post(plane.url, formId, large, { ...inScript, ...address })).status).toBe(422);
  expect((await send(formId, ann, { ...inScript, ...address })).status).toBe(429);
});

test('a form without Content-Length is limited to 64 KB', async () => {
  const formId = await createForm();
  const statusOf = async (length: number) => {
    const response = await fetch(`${plane.url}/f/${formId}`, {
      method: 'POST',
      headers: {
        ...inScript,
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': anyAddress(),
      },
      body: Readable.toWeb(Readable.from([`_token=x&f.note=${'x'.repeat(length)}`])),
      duplex: 'half',
    });
    await response.body?.cancel();
    return response.status;
  };
  expect([await statusOf(60_000), await statusOf(70_000)]).toEqual([422, 413]);
});

test.each([
  ['a body of another type', '{}', { 'content-type': 'application/json' }, 415],
  ['a body of more than 5 MB', `f.note=${'x'.repeat(5 * 2 ** 20)}`, {}, 413],
  ['a body of more than 200 fields', 'a&'.repeat(200), {}, 400],
  ['a body that is no UTF-8', 'f.note=%ff', {}, 400],
])('%s is refused with a page', async (_, body, headers, status) => {
  const formId = await createForm();
  const response = await post(plane.url, formId, body, { ...inBrowser, ...headers });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  await response.body?.cancel();
});

test('a form changed by its owner is shown again with every answer: in its field, or as text', async () => {
  const formId = await createForm();
  const renamed = [fields[0], { type: 'textarea', label: 'Your <b>note</b>' }];
  await own.call('PATCH', `/api/qr/forms/${formId}`, { fields: renamed });
  const asJson = await send(formId, ann, inScript);
  expect([asJson.status, await asJson.json()]).toMatchObject([
    409,
    { code: 'CONFLICT', unknownFields: ['note'], notice: expect.stringContaining('has changed') },
  ]);
  const answers = { ...ann, note: 'Hello <b>' };
  const late = await page(await send(formId, answers, { ...inBrowser, token: 'expired' }));
  const response = await send(formId, answers);
  expect(response.status).toBe(409);
  const text = await page(response);
  expect(text).toContain('This form has changed since you opened it.');
  expect(text).toContain('value="ann@example.com"');
  for (const shown of [text, late]) {
    expect(shown).toContain('<li dir="auto">Hello &lt;b&gt;</li>');
    expect(shown).not.toContain('note<');
  }
  expect(await valuesOf(formId)).toEqual([]);
  const again = { email: ann.email!, 'your-b-note-b': 'Hello' };
  expect((await send(formId, again, { ...inBrowser, token: tokenIn(text) })).status).toBe(303);
  expect(await valuesOf(formId)).toEqual([again]);
});

test('a form whose workspace has reached its limit says so, and keeps the input', async () => {
  const owner = await plane.workspace({ plan: 'growth' });
  const { body } = await owner.call('POST', '/api/qr/forms', { name: 'Contact', fields });
  const { formId } = body as FormObject;
  await send(formId);
  await plane.pool.query('UPDATE form_submission_counts SET bytes = 2147483648 WHERE form_id = $1', [formId]);
  const response = await send(formId);
  expect(response.status).toBe(503);
  const text = await page(response);
  expect(text).toContain('This form takes no more answers.');
  expect(text).toContain('value="ann@example.com"');
  expect((await owner.call('GET', `/api/qr/forms/${formId}/submissions`)).body).toMatchObject({
    storedBytes: 2_147_483_648,
    storedBytesMax: 2_147_483_648,
    submissions: [{ values: ann }],
  });
});

describe('rejected input is small,', () => {
  test('a body larger than the form’s fields can make it is not read', async () => {
    const formId = await createForm({ fields: [{ id: 'a', type: 'text', label: 'A' }] });
    const large = await post(plane.url, formId, `_token=x&f.a=${'"'.repeat(200_000)}`, inScript);
    expect([large.status, await large.json()]).toMatchObject([
      413,
      { error: 'The body must not be larger than 192 KB', code: 'BODY_TOO_LARGE' },
    ]);
    const unknown = await post(plane.url, 'form_1111111111111111', `f.a=${'"'.repeat(200_000)}`, inScript);
    expect(unknown.status).toBe(413);
    await unknown.body?.cancel();
  });

  test('an overlong value is returned cut, with its original length', async () => {
    const formId = await createForm({ fields: [{ id: 'a', type: 'text', label: 'A' }] });
    for (const token of ['x', shownToken(formId)]) {
      const response = await send(formId, { a: 'x"'.repeat(40_000) }, { ...inBrowser, token });
      const text = await page(response);
      expect(response.status).toBe(422);
      expect(text).toContain('x&quot;'.repeat(1_000));
      expect(text).not.toContain('x&quot;'.repeat(1_001));
      expect(text.length).toBeLessThan(60_000);
      if (token !== 'x') expect(text).toContain('These are 80,000.');
    }
  });

  test('a form accepts everything that its fields allow, in characters of four bytes', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({
      id: `f${at}`,
      type: 'textarea',
      label: `F ${at}`,
    }));
    const formId = await createForm({ fields: many });
    const values = Object.fromEntries(many.map(({ id }) => [id, '😀'.repeat(8_000)]));
    expect((await send(formId, values)).status).toBe(303);
    expect(await valuesOf(formId)).toEqual([values]);
  });
});

test('while the database is away a form keeps the input, and stores it once when it is sent again', async () => {
  const relay = await startRelay(plane.databaseUrl);
  const lone = await startTestControlPlane({ environment, databaseUrl: relay.url });
  const formId = await createForm();
  const headers = { ...inBrowser, url: lone.url };
  const token = shownToken(formId);
  relay.cut();

  const answer = await send(formId, ann, { ...headers, token });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  const text = await page(answer);
  expect(text).toContain('could not be stored right now');
  expect(text).toContain('<textarea name="f.email" hidden>\nann@example.com</textarea>');
  expect(text).toContain(`<textarea name="_token" hidden>\n${token}</textarea>`);

  const json = await send(formId, ann, { ...inScript, url: lone.url });
  expect([json.status, await json.json()]).toMatchObject([503, { code: 'UNAVAILABLE' }]);

  relay.mend();
  await expect.poll(async () => (await send(formId, ann, { ...headers, token })).status).toBe(303);
  expect(await valuesOf(formId)).toEqual([ann]);
});

test.each([
  ['53100', 'the disk is full'],
  ['53200', 'there is no memory'],
  ['25006', 'the server takes no changes after a failover'],
  ['40001', 'another transaction was faster'],
  ['40P01', 'two transactions are in each other’s way'],
])(
  'if PostgreSQL answers %s, as %s, a form keeps the input, and is stored once when it is sent again',
  async (state) => {
    const formId = await createForm();
    const refusal = `refuse_${state.toLowerCase()}`;
    await plane.pool.query(`
    CREATE FUNCTION ${refusal}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${state}'; END $$;
    CREATE TRIGGER ${refusal} BEFORE INSERT ON form_submissions FOR EACH ROW
      WHEN (NEW.form_id = '${formId}') EXECUTE FUNCTION ${refusal}()`);
    await fetch(`${plane.url}/f/${formId}`, { headers: inBrowser }).then((response) =>
      response.body?.cancel(),
    );
    const token = shownToken(formId);
    const refused = await send(formId, ann, { ...inBrowser, token });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await page(refused)).toContain('value="ann@example.com"');
    await plane.pool.query(`DROP FUNCTION ${refusal} CASCADE`);
    expect((await send(formId, ann, { ...inBrowser, token })).status).toBe(303);
    expect(await valuesOf(formId)).toEqual([ann]);
  },
);

test('a killed control plane has completely stored and counted every answered form', async () => {
  const child = await startPlaneProcess('control-plane/main.ts', {
    DATABASE_URL: plane.databaseUrl,
    CLICKHOUSE_URL: plane.clickhouseUrl,
    ...environment,
  });
  await child.ready();
  const formId = await createForm();
  const answered: string[] = [];
  let isKilled = false;
  const visit = async (visitor: number) => {
    for (let attempt = 0; !isKilled; attempt++) {
      const note = `${visitor}-${attempt}`;
      const status = await send(formId, { ...ann, note }, { ...inBrowser, url: child.url }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 303) answered.push(note);
    }
  };
  const visits = Array.from({ length: 6 }, (_, visitor) => visit(visitor));
  await expect.poll(() => answered.length).toBeGreaterThan(40);
  await child.kill();
  isKilled = true;
  await Promise.all(visits);
  // PostgreSQL may still commit running transactions.
  const running = `pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`;
  const isAtRest = async () =>
    (await plane.pool.query(`SELECT FROM ${running} AND query LIKE '%form_submission%'`)).rowCount;
  await expect.poll(isAtRest).toBe(0);
  const { form, submissions } = await submissionsOf(formId);
  const stored = submissions.map(({ values }) => (values as Values).note!);
  expect(stored).toEqual(expect.arrayContaining(answered));
  expect(new Set(stored).size).toBe(stored.length);
  expect(form.submissionCount).toBe(stored.length);
});
