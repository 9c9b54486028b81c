import { Command } from 'commander';
import { askAgent } from '../ask.js';
import type { Data } from '../gateway/gateway.js';
import { shown, table } from '../table.js';
import type { Terminal } from '../terminal.js';
import { readParameters, textHints, withParameters, type ParameterOptions } from './read-parameters.js';
import { wholeNumber } from './read-options.js';
import { toolLines } from './show-tool.js';

/** `caprouter discover`: tools for a need. */
export function discoverCommand(terminal: Terminal): Command {
  const ask = askAgent(terminal);
  return new Command('discover')
    .description('find tools by what they should do (free)')
    .argument('<need...>', 'in words, English or Chinese')
    .option('--limit <count>', 'tools at most', wholeNumber, 5)
    .action(async (need: string[], { limit }: { limit: number }, command: Command) => {
      const data = await ask(command, (router) => router.POST('/search', { body: { query: need.join(' '), limit } }));
      if (data === undefined) return;
      const results: readonly Data[] = data.results;
      if (results.length === 0) {
        terminal.out('no tool does this');
        if (data.notice !== undefined) terminal.error(data.notice);
        return;
      }
      const rows = results.map((tool) => [
        String(tool['tool_id']),
        shown(tool['expected_cost'], '?'),
        shown(tool['final_score']),
        shown(tool['name']),
      ]);
      for (const line of table(['tool', 'credits', 'score', 'name'], rows)) terminal.out(line);
      terminal.error(`next: caprouter inspect ${String(results[0]?.['tool_id'])}`);
    });
}

/** `caprouter inspect`: what tools need and cost. */
export function inspectCommand(terminal: Terminal): Command {
  const ask = askAgent(terminal);
  return new Command('inspect')
    .description('parameters, price and an example of tools (free)')
    .argument('<tools...>', 'ids of tools')
    .action(async (tools: string[], _options: unknown, command: Command) => {
      const data = await ask(command, (router) => router.POST('/tools/by-ids', { body: { tool_ids: tools } }));
      if (data === undefined) return;
      const { results } = data;
      if (results.length === 0) return terminal.out('no such tool; look for one with caprouter discover');
      for (const [index, tool] of results.entries()) {
        if (index > 0) terminal.out('');
        for (const line of toolLines(tool)) terminal.out(line);
      }
    });
}

/** `caprouter probe`: whether a call would be accepted, and what it would cost. */
export function probeCommand(terminal: Terminal): Command {
  const ask = askAgent(terminal);
  const command = new Command('probe')
    .description('check parameters and quote a price without calling the tool (free)')
    .argument('<tool>', 'id of the tool');
  return withParameters(command).action(async (tool: string, options: ParameterOptions, self: Command) => {
    const parameters = await readParameters(options, terminal);
    const body = { tool_id: tool, parameters, checks: ['schema', 'quote'] as const };
    const data = await ask(self, (router) => router.POST('/tools/probe', { body }));
    if (data === undefined) return;
    const { schema, quote } = data;
    terminal.out(schema?.valid === true ? 'the parameters are valid' : 'the parameters are not valid');
    for (const { param, message } of schema?.violations ?? []) {
      terminal.out(`  ${shown(param, 'parameters')}: ${message}`);
    }
    const texts = (schema?.violations ?? []).filter(({ type }) => type === 'string_type');
    for (const hint of textHints(options, new Set(texts.map(({ param }) => param ?? '')))) terminal.out(`  ${hint}`);
    const estimate = quote?.estimate_credits;
    const price = typeof estimate === 'number' ? `${estimate} credits` : 'not known before the call';
    terminal.out(`price: ${price}${quote?.exact === true ? '' : ', estimated'}`);
  });
}
