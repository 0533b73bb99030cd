// A panel that makes a call from this page, and shows what was answered.

import { currentKey } from './key.js';
import { make } from './make.js';

/** Longer answers are cut. */
const shownLengthMax = 100_000;

/** Headers that a reader looks for, beside those of the operation. */
const shownHeaders = [
  'content-type',
  'location',
  'request-id',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
];

/** What the reader entered for a parameter, on this page. */
const entered = new Map();

let fieldCount = 0;

const labelled = (text, control, isRequired = false) => {
  control.id = `try-${++fieldCount}`;
  return make(
    'div',
    { className: 'control' },
    make(
      'label',
      { htmlFor: control.id },
      make('code', {}, text),
      ...(isRequired ? [make('span', { className: 'required' }, 'required')] : []),
    ),
    control,
  );
};

const parameterControl = ({ in: place, name, required, example, values }) => {
  const isPrefilled = place === 'path' || required;
  const value = entered.get(name) ?? (isPrefilled ? example : '');
  const control = values
    ? make(
        'select',
        {},
        ...(required ? [] : [make('option', { value: '' }, 'not sent')]),
        ...values.map((each) => make('option', { value: each }, String(each))),
      )
    : make('input', {
        type: 'text',
        placeholder: isPrefilled ? '' : example,
        autocomplete: 'off',
        spellcheck: false,
        required: isPrefilled,
      });
  control.value = value;
  if (place === 'path') control.addEventListener('input', () => entered.set(name, control.value));
  return labelled(name, control, isPrefilled);
};

/** @returns the controls of a body, and what reads them */
const bodyControls = ({ type, files = [], fields = [], examples }) => {
  if (!type) return { controls: [], read: () => undefined };
  if (type === 'application/json') {
    const text = make('textarea', { rows: 10, spellcheck: false });
    const fill = (at) => {
      text.value = JSON.stringify(examples[at].value, null, 2);
      text.rows = Math.min(20, Math.max(4, text.value.split('\n').length + 1));
    };
    fill(0);
    const choice = make(
      'select',
      {},
      ...examples.map(({ summary }, at) => make('option', { value: at }, summary)),
    );
    choice.addEventListener('change', () => fill(Number(choice.value)));
    const controls = [...(examples.length > 1 ? [labelled('example', choice)] : []), labelled('body', text)];
    return { controls, read: () => text.value };
  }
  const inputs = fields.map((name) => {
    if (files.includes(name)) return [name, make('input', { type: 'file' })];
    const value = examples[0]?.value[name] ?? '';
    return [
      name,
      make('input', { type: 'text', value: typeof value === 'string' ? value : JSON.stringify(value) }),
    ];
  });
  const read = () => {
    const body = type === 'multipart/form-data' ? new FormData() : new URLSearchParams();
    for (const [name, input] of inputs) {
      if (input.type === 'file') for (const file of input.files) body.append(name, file);
      else if (input.value !== '') body.append(name, input.value);
    }
    return body;
  };
  return { controls: inputs.map(([name, input]) => labelled(name, input)), read };
};

const urlOfCall = ({ path }, values) => {
  const query = new URLSearchParams();
  let filled = path;
  for (const { in: place, name, value } of values) {
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    if (place === 'query' && value !== '') query.set(name, value);
  }
  return `${filled}${query.size > 0 ? `?${query}` : ''}`;
};

const headersOfCall = ({ isKeyed, type }, values) => {
  const headers = new Headers();
  if (isKeyed && currentKey() !== '') headers.set('authorization', `Bearer ${currentKey()}`);
  if (type === 'application/json') headers.set('content-type', type);
  for (const { in: place, name, value } of values)
    if (place === 'header' && value !== '') headers.set(name, value);
  return headers;
};

const isText = (type) => /^text\/|json|csv|xml/.test(type) && !/^image\//.test(type);

const shownText = (text, type) => {
  const whole =
    /json/.test(type) && !/ndjson/.test(type) && text !== ''
      ? JSON.stringify(JSON.parse(text), null, 2)
      : text;
  return whole.length > shownLengthMax ? `${whole.slice(0, shownLengthMax)}\n…` : whole;
};

const bodyOf = async (answer) => {
  const type = answer.headers.get('content-type') ?? '';
  if (isText(type)) {
    const text = shownText(await answer.text(), type);
    return text === ''
      ? []
      : [
          make(
            'pre',
            {
              className: 'long',
              tabIndex: 0,
              attributes: { role: 'group', 'aria-label': 'Body of the answer' },
            },
            text,
          ),
        ];
  }
  const blob = await answer.blob();
  if (blob.size === 0) return [];
  const address = URL.createObjectURL(blob);
  if (type.startsWith('image/'))
    return [make('img', { className: 'answer-picture', src: address, alt: 'The picture that was answered' })];
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'answer';
  return [
    make(
      'p',
      {},
      make('a', { href: address, download: name }, `Save ${name} (${blob.size.toLocaleString('en')} bytes)`),
    ),
  ];
};

const headerList = (headers) => {
  const shown = [...headers].filter(([name]) => shownHeaders.includes(name) || name.startsWith('waymark-'));
  return make(
    'dl',
    { className: 'answer-headers' },
    ...shown.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  );
};

const showAnswer = async (answer, took, place) => {
  if (answer.type === 'opaqueredirect') {
    place.replaceChildren(
      make('p', { className: 'answer-status' }, 'A redirect. A browser does not show where it leads.'),
    );
    return;
  }
  const tone = answer.ok ? 'good' : 'bad';
  const status = make(
    'p',
    { className: 'answer-status' },
    make('span', { className: `status ${tone}` }, String(answer.status)),
    ` ${answer.statusText} · ${Math.round(took)} ms`,
  );
  place.replaceChildren(status, headerList(answer.headers), ...(await bodyOf(answer)));
};

const send = async (call, values, body, place) => {
  place.replaceChildren(make('p', { className: 'answer-status' }, 'Waiting …'));
  const startMs = performance.now();
  try {
    const answer = await fetch(urlOfCall(call, values), {
      method: call.method,
      headers: headersOfCall(call, values),
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
    });
    await showAnswer(answer, performance.now() - startMs, place);
  } catch (error) {
    place.replaceChildren(
      make('p', { className: 'answer-status bad-text' }, `The call failed: ${error.message}`),
    );
  }
};

/** A call that deletes is sent by the second press of the button. */
const needsSecondPress = (call, button) => {
  if (call.method !== 'DELETE' || 'sure' in button.dataset) return false;
  button.dataset.sure = '';
  button.textContent = 'Press again to delete';
  return true;
};

const keyLine = ({ isKeyed }) => {
  if (!isKeyed) return [];
  const line = make('p', { className: 'key-line' });
  const show = () => {
    const known = currentKey();
    const text = known ? `With your key …${known.slice(-4)}` : 'Without a key: ';
    const button = make('button', {
      type: 'button',
      className: 'link',
      textContent: known ? 'Change' : 'Enter an API key',
    });
    button.popoverTargetElement = document.getElementById('key');
    line.replaceChildren(`${text} `, button);
  };
  show();
  document.addEventListener('keychange', show);
  return [line];
};

const createPanel = (call) => {
  const controls = call.parameters.map((parameter) => [parameter, parameterControl(parameter)]);
  const inPlace = (place) =>
    controls.filter(([parameter]) => parameter.in === place).map(([, control]) => control);
  const body = bodyControls(call);
  const sending = call.method === 'DELETE' ? 'Delete' : 'Send';
  const button = make('button', { type: 'submit', className: 'button primary', textContent: sending });
  const answer = make('div', { className: 'answer', attributes: { 'aria-live': 'polite' } });
  const headers = inPlace('header');
  const panel = make(
    'form',
    { className: 'panel', noValidate: false },
    ...keyLine(call),
    ...inPlace('path'),
    ...inPlace('query'),
    ...(headers.length > 0 ? [make('details', {}, make('summary', {}, 'Headers'), ...headers)] : []),
    ...body.controls,
    button,
    answer,
  );
  const calm = () => {
    delete button.dataset.sure;
    button.textContent = sending;
  };
  button.addEventListener('blur', calm);
  panel.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (needsSecondPress(call, button)) return;
    calm();
    const values = controls.map(([parameter, control]) => ({
      ...parameter,
      value: control.querySelector('input, select').value,
    }));
    await send(call, values, body.read(), answer);
  });
  return panel;
};

for (const place of document.querySelectorAll('[data-try]')) {
  const button = make('button', {
    type: 'button',
    className: 'button try-button',
    textContent: 'Try it',
    attributes: { 'aria-expanded': 'false' },
  });
  let panel;
  button.addEventListener('click', () => {
    const isOpen = panel !== undefined && !panel.hidden;
    if (panel === undefined) {
      panel = createPanel(JSON.parse(place.dataset.try));
      place.append(panel);
    } else panel.hidden = isOpen;
    button.setAttribute('aria-expanded', String(!isOpen));
    button.textContent = isOpen ? 'Try it' : 'Close the panel';
    place.classList.toggle('open', !isOpen);
  });
  place.append(button);
}
