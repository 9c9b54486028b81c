import { describe, expect, it } from '@jest/globals';
import { publicOpenApi } from './public-document.js';
import { differencesFrom } from './specification.js';

const document = publicOpenApi();
const said = (text: string): string[] => differencesFrom([text], document);

describe('the tables of a specification', () => {
  it('are fulfilled where the document has what they name', () => {
    const text = `### Discover: POST /search

| Field | Type | Required | Meaning |
|---|---|---|---|
| query | string | yes | The need |
| limit | integer | no | Default 20; range 1 to 100 |

Errors: 400, 422.

### Settlement history: GET /auth/account/settlement-history

Query: \`start_date\`, \`scope\` (default \`account_history\`), \`cursor\`. Response: a feed.

### Search response

| Field | Type | Meaning |
|---|---|---|
| search_id | string | Id of this search |

Ask \`GET /capabilities/{id}\`, too.
`;
    expect(said(text)).toEqual([]);
  });

  it.each([
    ['### A: GET /none', 'GET /none: is not in the document'],
    ['Ask `GET /auth/nothing`.', 'GET /auth/nothing: is not in the document'],
    ['### A: POST /search\n\nErrors: 418.', 'POST /search: has no status 418'],
    ['### A: POST /search\n\n| Field | Required |\n|---|---|\n| colour | no |', 'POST /search: its body has no colour'],
    ['### A: POST /search\n\n| Field | Required |\n|---|---|\n| limit | yes |', 'POST /search: limit is not required'],
    [
      '### A: POST /search\n\n| Field | Required | Meaning |\n|---|---|---|\n| limit | no | range 1 to 90 |',
      'POST /search: limit has no maximum 90',
    ],
    [
      '### A: POST /search\n\n| Field | Required | Meaning |\n|---|---|---|\n| limit | no | Most; default 30 |',
      'POST /search: limit has no default 30',
    ],
    [
      '### A: GET /auth/credits/ledger\n\n| Name | Default / range |\n|---|---|\n| direction | default `all` |',
      'GET /auth/credits/ledger: direction has no default all',
    ],
    [
      '### A: GET /auth/account/settlement-history\n\nQuery: `page_size` (integer, default 50).',
      'GET /auth/account/settlement-history: page_size has no default 50',
    ],
    ['### A: GET /auth/credits/ledger\n\n| Name |\n|---|\n| colour |', 'GET /auth/credits/ledger: has no colour'],
    ['### A: GET /auth/credits/ledger\n\nQuery: `colour`. Free.', 'GET /auth/credits/ledger: has no colour'],
    [
      '### Ledger entry\n\n| Field |\n|---|\n| colour |',
      'Ledger entry: no answer of GET /auth/credits/ledger has colour',
    ],
  ])('are not: %j', (text, finding) => {
    expect(said(text)).toEqual([finding]);
  });
});
