/** The documentation of the form's own POST. */
import { formRefused, formSent } from '#schemas/api/submissions.ts';
import { type OperationDocs, scanTag } from '../../../http/operation.ts';
import { formWordsOf } from '../page/words/index.ts';

const token = 'mftkv3q1.Zm9yZXZlcg…';

export const submitFormDocs: OperationDocs = {
  id: 'submitForm',
  tag: scanTag,
  summary: 'Send a form',
  description:
    'What the page of a form sends: each field as `f.{fieldId}`, a ticked checkbox as `true`, and the `_token` that the page has. A token stores one ' +
    'submission: to send it again, by a double click or after an answer that was lost, stores nothing more and is answered as before. ' +
    'It works from 2 seconds to 24 hours after the page was shown. Values are checked against the form as it is now; an answer to a field that it does not have is not passed over in ' +
    'silence: nothing is stored then, and `unknownFields` names them. Browsers get pages, with what was typed kept where it is refused; whoever asks for `application/json` gets JSON.\n\n' +
    'Each started 64 KB of the body count as one form of the address; a body without `Content-Length` has 64 KB at most.\n\n' +
    'A program opens the page first, reads `_token` from it, and sends it after 2 seconds.',
  params: { id: { description: 'Id of the form', example: 'form_7Ab3kQw2ZnX5cPq7' } },
  requestExamples: {
    contact: {
      summary: 'A contact form',
      value: { 'f.name': 'Ann O’Neil', 'f.email': 'ann@example.com', _token: token },
    },
  },
  responses: {
    200: {
      description: 'It is stored; for programs',
      schema: formSent,
      example: { location: '/f/form_7Ab3kQw2ZnX5cPq7?sent=1' },
      headers: { vary: 'What the answer depends on' },
    },
    303: {
      description: 'It is stored; browsers go on to `redirectAfterSubmit`, or to the page that says thanks',
      headers: { location: 'Where to', vary: 'What the answer depends on' },
    },
  },
  refusals: {
    403: 'It was sent from a page of another site',
    404: 'There is no form with this id, or it is paused',
    409: 'The page of this `_token` has stored other values, or the form does not have all fields that were sent; the answer has a `token` for another try',
    413: 'The body is larger than the fields of the form can make it, and 128 KB more; at most 5 MB',
    422: 'Values are refused, or the page was shown too short or too long a time ago: `faults` says why, field by field, and `token` is for another try',
    503: 'The form’s workspace has stored as much as it may, or the database is away: nothing is stored, and everything that was typed is in the page',
  },
  refusalSchemas: { 409: formRefused, 422: formRefused, 503: formRefused },
  refusalExamples: {
    409: {
      error: 'The page of this _token has stored other values; send the form again with the one given here',
      code: 'CONFLICT',
      token,
      notice: formWordsOf.en.notices.used,
    },
    422: {
      error: 'Some values are refused: see faults',
      code: 'UNPROCESSABLE',
      token,
      faults: [{ field: 'email', label: 'E-mail', message: formWordsOf.en.faults.email }],
    },
  },
};
