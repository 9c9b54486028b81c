import { parentPort } from 'node:worker_threads';
import { parseYaml } from './parse-yaml.js';
import { scanDocument } from './scan-document.js';
import type { ParsedYaml, YamlTask } from './yaml-thread.js';

/** Runs in a worker thread. What cannot be handed over in a moment is refused here. */
function read({ text, maxValues }: YamlTask): ParsedYaml {
  const parsed = parseYaml(text);
  if ('problem' in parsed) return parsed;
  const [fault] = scanDocument(parsed.document, [], maxValues).details;
  return fault?.type === 'too_long' || fault?.type === 'too_deep' ? { problem: fault.msg } : parsed;
}

parentPort?.on('message', (task: YamlTask) => parentPort?.postMessage(read(task)));
