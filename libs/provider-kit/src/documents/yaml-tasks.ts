import { packed, unpacked } from '@capability-router/kernel';
import { scanDocument } from '@capability-router/tool-calls';
import type { Tasks } from '../runners/messages.js';
import { parseYaml } from './parse-yaml.js';
import type { ParsedYaml, YamlSettings, YamlTask } from './yaml-pool.js';

/** Runs in runner processes, a text at a time. */
export function openTasks(settings: object): Promise<Tasks> {
  const { timeoutMs } = settings as YamlSettings;
  return Promise.resolve({
    prepare: () => Promise.resolve(timeoutMs),
    run: (_kind, task) => Promise.resolve(packed(read(unpacked<YamlTask>(task)))),
  });
}

/** Refuses a document that cannot be handed over in a moment. */
function read({ text, maxValues }: YamlTask): ParsedYaml {
  const parsed = parseYaml(text);
  if ('problem' in parsed) return parsed;
  const [fault] = scanDocument(parsed.document, [], maxValues).details;
  return fault?.type === 'too_long' || fault?.type === 'too_deep' ? { problem: fault.msg } : parsed;
}
