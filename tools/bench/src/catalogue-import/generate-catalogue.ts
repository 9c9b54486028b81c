/** Tools of one generated provider. */
const TOOLS_PER_PROVIDER = 50;

const subjects = (
  'weather flight hotel invoice payment customer order shipment product stock currency translation image video document ' +
  'contract employee payroll calendar email message contact campaign survey ticket incident server domain certificate ' +
  'database backup account wallet ledger tax address route vehicle sensor device patient prescription recipe book movie song'
).split(' ');
const actions =
  'list get create update delete search convert verify estimate forecast compare merge export import schedule cancel track score'.split(
    ' ',
  );
const qualities =
  'daily regional historical live detailed draft archived public private bulk recurring overdue nearby annual summary'.split(
    ' ',
  );

const pick = (words: readonly string[], index: number): string => words[index % words.length] ?? 'thing';

/** The same tool for the same number: about a kilobyte, in words that differ from tool to tool. */
function toolAt(index: number): object {
  const provider = providerAt(Math.floor(index / TOOLS_PER_PROVIDER));
  const subject = pick(subjects, index * 7 + Math.floor(index / 13));
  const action = pick(actions, index * 5 + Math.floor(index / 101));
  const quality = pick(qualities, index * 3 + Math.floor(index / 17));
  const filter = pick(subjects, index * 11 + 3);
  return {
    kind: 'tool',
    tool_id: `${provider}.${subject}.${action}_${index}.v1`,
    provider_id: provider,
    name: { en: `${action} ${quality} ${subject} ${index}` },
    description: {
      en: `Use it to ${action} the ${quality} ${subject} records of a ${filter}. Returns each ${subject} with its id, state and time of the last change, newest first, in pages of at most one hundred.`,
    },
    categories: [],
    capabilities: [{ id: `${subject}.${action}`, tags: [quality] }],
    parameters_schema: {
      type: 'object',
      additionalProperties: false,
      required: [`${filter}_id`],
      properties: {
        [`${filter}_id`]: { type: 'string', minLength: 1, maxLength: 100, description: `Id of the ${filter}.` },
        state: { type: 'string', enum: ['open', 'closed', 'all'], description: `State of the ${subject}.` },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Most entries to return.' },
        since: { type: 'string', format: 'date', description: 'Only what changed since this day.' },
      },
    },
    examples: [{ parameters: { [`${filter}_id`]: 'a-1', limit: 10 } }],
    price: { amount_credits: '0.05' },
    binding: {
      kind: 'http',
      method: 'GET',
      url: `https://api.${provider}.example/v1/${filter}/{id}/${subject}`,
      placements: { [`${filter}_id`]: { in: 'path', name: 'id' } },
      auth: { kind: 'bearer' },
    },
  };
}

const providerAt = (index: number): string => `vendor${index}`;

/** The name of the last tool: what a search for it finds proves that the index has followed to the end. */
export const lastToolName = (tools: number): string => (toolAt(tools - 1) as { name: { en: string } }).name.en;
export const lastToolId = (tools: number): string => (toolAt(tools - 1) as { tool_id: string }).tool_id;

/** Lines of NDJSON in chunks, made as they are sent. */
export function* generateCatalogue(tools: number): Generator<Buffer> {
  let lines: string[] = [];
  for (let index = 0; index < tools; index += 1) {
    if (index % TOOLS_PER_PROVIDER === 0) {
      if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`);
      const name = providerAt(index / TOOLS_PER_PROVIDER);
      const description = { en: `Records of ${name}.` };
      lines = [JSON.stringify({ kind: 'provider', provider_id: name, name: { en: name }, description })];
    }
    lines.push(JSON.stringify(toolAt(index)));
  }
  yield Buffer.from(`${lines.join('\n')}\n`);
}
