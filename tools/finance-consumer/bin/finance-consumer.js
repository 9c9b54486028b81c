#!/usr/bin/env node
// A file that is there before the first build, so that npm can link it.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  console.error('finance-consumer is not built yet. Run: npm run build');
  process.exitCode = 1;
}
