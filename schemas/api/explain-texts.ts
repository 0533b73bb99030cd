/** Descriptions of explanations, for integrators: Markdown. */

export const explainTexts = {
  query: {
    country: 'The country of the scanner, by ISO 3166-1 alpha-2. Absent: unknown.',
    userAgent: 'The scanner’s `User-Agent` header. Absent: a phone whose system is none of the known ones.',
    device: 'The kind of device, whatever `userAgent` says.',
    os: 'The operating system, whatever `userAgent` says.',
    at: 'When the scan is: ISO 8601 with its offset, or milliseconds since 1970. Absent: now.',
    unlocked: 'Whether the password has been given.',
  },
  decision: {
    kind: 'What the scanner gets: a redirect, or a page of this kind.',
    location:
      'Where it leads, or the app that is tried. Null for a page, and where it depends on the variant.',
    fallback: 'Where a page that tries an app leads when there is none.',
    status: 'The HTTP status of the answer to a browser.',
  },
  explanation: {
    id: 'The id of the code.',
    at: 'When the scan is: ISO 8601, UTC.',
    scan: 'The scan, as it was understood.',
    decision: 'What the scanner gets.',
    decidedBy: 'The step that decided.',
    ruleId: 'The routing rule that matched; null where none did.',
    variants:
      'What each variant of a running campaign leads to, and its share of the scans; empty where none is reached.',
    rules: 'Every rule that was looked at, with the conditions that did not hold.',
    steps:
      'What was looked at, up to the step that says where the scan leads; then, where it leads on, the cap, which decides once it is reached.',
    maxScans: 'How many scans the code lets through; null where there is no cap.',
    cap: 'The scan cap as it is now; null where there is none, and where the scan does not get as far.',
  },
  cap: {
    max: 'How many scans are let through.',
    taken: 'How many have been.',
    exact:
      'Whether redirectors take from this very count. Otherwise it is what was recorded, and may be seconds old.',
  },
  scan: {
    country: 'The country; null where it is unknown.',
    device: 'The kind of device.',
    os: 'The operating system.',
    counts: 'Whether it is counted, in `scanCount` and by a cap: crawlers and link previews are not.',
  },
  variant: {
    id: 'The id of the variant.',
    name: 'Its label.',
    share: 'Its share of the scans, from 0 to 1.',
    decision:
      'Where it leads; null where the weight is 0 or vanishes beside the others: no scan leads there.',
  },
  rule: {
    id: 'The id of the rule.',
    matches: 'Whether all its conditions hold.',
    failed: 'The conditions that do not hold.',
  },
  failed: {
    condition: 'Which condition.',
    wanted: 'The values that would match.',
    found: 'What the scan has; null where it is unknown.',
  },
  step: {
    step: 'What was looked at.',
    decided: 'Whether it decided.',
    reason: 'Why, in words.',
  },
} as const;
