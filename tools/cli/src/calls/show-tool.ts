import { isObject, type Data } from '../gateway/gateway.js';
import { shown, table } from '../table.js';

/** Lines that tell a person what a tool does, costs and needs, and how it is called. */
export function toolLines(tool: Data): string[] {
  const id = String(tool['tool_id']);
  const rule = isObject(tool['billing_rule']) ? tool['billing_rule'] : {};
  const examples = isObject(tool['examples']) ? tool['examples'] : {};
  const lines = [
    `${id}  ${shown(tool['name'])}`,
    `  ${shown(tool['description'])}`,
    `  by ${shown(tool['provider_name'] ?? tool['provider_id'], '?')}, ${shown(tool['verification_status'], 'unverified')}; ${shown(rule['description'], `${String(tool['expected_cost'])} credits`)}`,
  ];
  const params = (Array.isArray(tool['params']) ? tool['params'] : []).filter(isObject);
  if (params.length > 0) {
    const rows = params.map((param) => [
      String(param['name']),
      String(param['type']),
      param['required'] === true ? 'yes' : '',
      shown(param['description']),
    ]);
    lines.push('', ...table(['parameter', 'type', 'needed', 'meaning'], rows).map((line) => `  ${line}`));
  }
  const sample = examples['sample_parameters'];
  if (isObject(sample)) lines.push('', `  caprouter call ${id} --parameters ${quoted(JSON.stringify(sample))}`);
  return lines;
}

/** For a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
