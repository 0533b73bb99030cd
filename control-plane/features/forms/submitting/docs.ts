/** The documentation of the form's own POST. */
import { formRefused, formSent } from '#schemas/api/submissions.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { type OperationDocs, scanTag } from '../../../api/http/operation.ts';

const token = 'mftkv3q1.Zm9yZXZlcg…';

export const submitFormDocs: OperationDocs = {
  id: 'submitForm',
  tag: scanTag,
  summary: 'Submit a form',
  description:
    'Submits a form, as its page does: each field as `f.{fieldId}`, a ticked checkbox as `true`, and the ' +
    '`_token` of the page. A program opens the page first, reads `_token` from it, and submits the form ' +
    'after 2 seconds. Browsers get pages, which keep the entered values if the form is refused. A client ' +
    'that accepts `application/json` gets JSON.\n\n' +
    '- A token is valid from 2 seconds to 24 hours after the page was shown.\n' +
    '- A token stores one submission. Sending the same form again, by a double click or because the ' +
    'response was lost, stores nothing more and returns the same response.\n' +
    '- Values are checked against the current form. If a field does not exist, nothing is stored, and ' +
    '`unknownFields` names it.\n' +
    '- Every started 64 KB of the body count as one form of the address. A body without `Content-Length` ' +
    'has at most 64 KB.',
  params: { id: { description: 'The id of the form.', example: 'form_7Ab3kQw2ZnX5cPq7' } },
  requestExamples: {
    contact: {
      summary: 'A contact form',
      value: { 'f.name': 'Ann O’Neil', 'f.email': 'ann@example.com', _token: token },
    },
  },
  responses: {
    200: {
      description: 'The submission is stored. For programs',
      schema: formSent,
      example: { location: '/f/form_7Ab3kQw2ZnX5cPq7?sent=1' },
      headers: { vary: 'The headers on which the response depends' },
    },
    303: {
      description:
        'The submission is stored. Browsers are redirected to `redirectAfterSubmit`, or to the thank-you ' +
        'page',
      headers: { location: 'The target of the redirect', vary: 'The headers on which the response depends' },
    },
  },
  refusals: {
    403: 'The form was sent from a page of another site',
    404: 'The form does not exist or is paused',
    409:
      'The `_token` was used for other values, or a field that was sent does not exist. The response has a ' +
      '`token` for another try',
    413: 'The body is more than 128 KB larger than the fields of the form allow, or larger than 5 MB',
    422:
      'Values are invalid, or the `_token` is too new or too old. `faults` has the reason for each field, ' +
      'and `token` is for another try',
    503:
      'The storage of the workspace is full, or the database is unavailable. Nothing is stored, and the ' +
      'page keeps the entered values',
  },
  refusalSchemas: { 409: formRefused, 422: formRefused, 503: formRefused },
  refusalExamples: {
    409: {
      error: 'The page of this _token has stored other values; send the form again with the one given here',
      code: 'CONFLICT',
      token,
      notice: wordsOf.en.form.notices.used,
    },
    422: {
      error: 'Some values are refused: see faults',
      code: 'UNPROCESSABLE',
      token,
      faults: [{ field: 'email', label: 'E-mail', message: wordsOf.en.form.faults.email }],
    },
  },
};
