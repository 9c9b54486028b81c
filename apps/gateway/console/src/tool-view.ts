import { credits } from './amounts.js';
import { copyButton } from './copy-button.js';
import { curlOfCall } from './curl.js';
import { element, facts, viewHeading, wholeRecord, type Child } from './elements.js';
import { objectOf, objectsOf, printed, textOf, textsOf, type JsonObject } from './json.js';
import { tableOr, type Column } from './table.js';
import type { View } from './view.js';

/** One tool: what it needs, what it costs, and a call of it as a command. The page makes no call itself, because that spends credits. */
export const toolView: View = async ({ api, place }) => {
  const { id = '', query } = place;
  const searchId = query['search_id'] ?? '';
  const answer = await api.post('/tools/by-ids', {
    tool_ids: [id],
    ...(searchId === '' ? {} : { search_id: searchId }),
  });
  const [tool] = objectsOf(answer['results']);
  const back = element('p', {}, element('a', { href: '#search' }, 'Back to the search'));
  if (tool === undefined) {
    const told = textOf(answer['error_message']) || `There is no tool ${id}. Search again.`;
    return [viewHeading('No such tool'), back, element('p', {}, told)];
  }
  return [
    viewHeading(textOf(tool['name'])),
    back,
    element('p', {}, textOf(tool['description'])),
    facts(...factsOf(tool)),
    element('h2', {}, 'Parameters'),
    tableOr('It takes no parameters.', 'What a call takes', columns, objectsOf(tool['params'])),
    ...example(textOf(tool['tool_id']), tool),
    wholeRecord(printed(tool)),
  ];
};

function factsOf(tool: JsonObject): (readonly [string, Child])[] {
  const stats = objectOf(tool['stats']);
  const restrictions = objectOf(tool['execution_restrictions']);
  const expected = textOf(tool['expected_cost']);
  const duration = textOf(stats['avg_execution_time_ms']);
  return [
    ['Tool id', element('code', {}, textOf(tool['tool_id']))],
    ['Provider', textOf(tool['provider_name'])],
    ['Price', textOf(objectOf(tool['billing_rule'])['description'])],
    ['Expected cost', credits(expected)],
    ['Region', textOf(tool['region'])],
    ['Verification', textOf(tool['verification_status'])],
    ['Calls that were measured', textOf(stats['sample_count'])],
    ['Share of successes', textOf(stats['success_rate'])],
    ['Takes on average', duration === '' ? '' : `${duration} ms`],
    ['Can be called', restrictions['callable'] === false ? 'no' : ''],
    ['Mind', textsOf(restrictions['warnings']).join(' ')],
  ];
}

const columns: readonly Column<JsonObject>[] = [
  { title: 'Name', cell: (param) => element('code', {}, textOf(param['name'])) },
  { title: 'Type', cell: (param) => textOf(param['type']) },
  { title: 'Required', cell: (param) => (param['required'] === true ? 'yes' : 'no') },
  { title: 'Description', cell: (param) => textOf(param['description']) || '–' },
  { title: 'One of', cell: (param) => textsOf(param['enum']).join(', ') || '–' },
];

function example(toolId: string, tool: JsonObject): readonly Child[] {
  const parameters = objectOf(tool['examples'])['sample_parameters'];
  const command = element(
    'pre',
    { tabindex: '0', 'aria-label': 'Command' },
    curlOfCall(location.origin, toolId, parameters ?? {}),
  );
  return [
    element('h2', {}, 'Call it'),
    element('p', {}, 'A call spends credits, so this page makes none. In a terminal in which API_KEY has your key:'),
    command,
    copyButton('Copy the command', command),
  ];
}
