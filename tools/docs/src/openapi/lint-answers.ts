/** Why findings of one rule of Spectral, at the places that `at` names, are left as they are. */
export interface LintAnswer {
  readonly rule: string;
  /** Fits the path of the finding, joined by `/`; where it is absent, every place. */
  readonly at?: RegExp;
  readonly reason: string;
}

const ANSWERS_ARE_OURS =
  'What is answered is bounded by the services; a client takes what comes, and new members with it.';
const BOUNDED_AS_A_WHOLE =
  'What has no bound of its own is bounded as a whole: a part of a path is 414, URL and headers 431, a body 413, and a form by identity.';

/** Every answer has a finding; one without is taken out. */
export const lintAnswers: readonly LintAnswer[] = [
  { rule: 'info-contact', reason: 'Whoever runs the deployment is not known when the document is made.' },
  {
    rule: 'license-url',
    reason: 'The licence has its identifier (OpenAPI 3.1), in the place of which a URL would stand.',
  },
  { rule: 'openapi-tags-alphabetical', reason: 'Tags are in the order in which a reader needs them.' },
  { rule: 'operation-description', reason: 'The summary says it, where nothing is to be added.' },
  {
    rule: 'owasp:api2:2023-no-credentials-in-url',
    at: /results\/\{token\}/,
    reason: 'The token is the signed end of a link that works without a key, for 120 minutes and one result.',
  },
  {
    rule: 'owasp:api2:2023-read-restricted',
    reason: 'Links to results, the keys of tokens, the version and these documents are for everybody.',
  },
  {
    rule: 'owasp:api2:2023-write-restricted',
    reason: 'Whoever has no key gets in by these: registration, claim and OAuth. They are limited by address.',
  },
  { rule: 'owasp:api4:2023-array-limit', at: /responses|components/, reason: ANSWERS_ARE_OURS },
  { rule: 'owasp:api4:2023-array-limit', at: /oauth\/token|requestBody/, reason: BOUNDED_AS_A_WHOLE },
  {
    rule: 'owasp:api4:2023-integer-format',
    reason: 'JSON has one kind of number. Bounds say more than 32 or 64 bits.',
  },
  { rule: 'owasp:api4:2023-integer-limit', at: /responses|components/, reason: ANSWERS_ARE_OURS },
  {
    rule: 'owasp:api4:2023-integer-limit',
    at: /requestBody|parameters/,
    reason:
      'Two kinds of value are allowed (-1 or more than 0), or what is above the bound is lowered to it, as the specification has it.',
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    reason:
      'Answers that are counted have the headers of the specification and those of the standard; the rule wants one of the two. Others are not counted.',
  },
  {
    rule: 'owasp:api4:2023-rate-limit-responses-429',
    reason: 'The version and the documents cost nothing, and are not counted.',
  },
  { rule: 'owasp:api4:2023-string-limit', at: /responses|components/, reason: ANSWERS_ARE_OURS },
  { rule: 'owasp:api4:2023-string-limit', at: /requestBody|parameters/, reason: BOUNDED_AS_A_WHOLE },
  {
    rule: 'owasp:api4:2023-string-restricted',
    reason: 'Words of people, and texts that the service judges by more than a pattern can say.',
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    reason: 'No page of another origin may ask, so that no answer has the header.',
  },
  { rule: 'owasp:api8:2023-define-error-responses-401', reason: 'These take no key.' },
  {
    rule: 'owasp:api8:2023-define-error-responses-500',
    reason: 'The version and the documents are read from a file, and do nothing that could fail.',
  },
  { rule: 'owasp:api8:2023-define-error-validation', reason: 'These take nothing that could be invalid.' },
  {
    rule: 'owasp:api9:2023-inventory-access',
    reason: 'The two documents are apart: one is for callers, one for administrators.',
  },
  {
    rule: 'owasp:api9:2023-inventory-environment',
    reason: 'A document is of the deployment that answers it, whatever that is for.',
  },
];
