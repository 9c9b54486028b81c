import { detailTypes, reasonCodeMeanings, reasonCodes } from '@capability-router/contracts';
import { faultCauses } from '@capability-router/execution';
import { MAX_ERROR_BYTES } from '@capability-router/gateway';
import { errorDefinition, errorRegistry, type ErrorAudience, type ErrorCode } from '@capability-router/kernel';
import { code, codes, page, table } from './markdown.js';

export function reasonCodePage(): string {
  return page(
    'Reason codes',
    '`reason_code` of an execution outcome and of its audit row. Codes are stable, texts may change. A code that begins with `provider.` points to a third party. What was charged is said by `charge_outcome` of the audit row; the last column is what it normally is.',
    table(
      ['Code', 'Meaning', 'What leads to it', 'Typical charge outcome'],
      reasonCodes.map((reason) => {
        const { meaning, causes, typicalChargeOutcomes } = reasonCodeMeanings[reason];
        return [code(reason), meaning, `${causes.join('; ')}.`, codes(typicalChargeOutcomes)];
      }),
    ),
    '## Faults of a call to a provider',
    'Every way in which a call to a provider can fail is one fault, and every fault is one code. Those without a status and an error are decided before anything is sent.',
    table(
      ['Fault', 'Code', 'HTTP statuses of the provider', 'Errors of the transport'],
      faultCauses().map(({ fault, reasonCode, statuses, errors }) => [
        code(fault),
        code(reasonCode),
        statuses.join(', '),
        errors.map((error) => (error.includes(' ') ? error : code(error))).join(', '),
      ]),
    ),
  );
}

const whoActs: Readonly<Record<ErrorAudience, string>> = {
  caller: 'the caller',
  operator: 'whoever runs the deployment',
  bug: 'the maintainers',
};

const statusesOf = (code: ErrorCode): string => {
  const { httpStatus, otherStatuses = [] } = errorDefinition(code);
  return [httpStatus, ...otherStatuses].join(', ');
};

const byStatus = (Object.keys(errorRegistry) as ErrorCode[]).sort(
  (a, b) => errorRegistry[a].httpStatus - errorRegistry[b].httpStatus,
);

export function errorPage(): string {
  return page(
    'Errors',
    'Every error is a JSON object with a `message`, in the shape that its route has for errors, and an `X-Request-Id` header. Beside what its route tells, every error but those of OAuth (`{"error", "error_description"}`, RFC 6749) and of JSON-RPC (`/mcp`) has:',
    table(
      ['Member', 'What it is'],
      [
        ['`code`', 'which error it is, of the table below; stable, as messages are not'],
        ['`retryable`', 'whether the same request may succeed later without a change'],
        ['`retry_after_seconds`', 'the header `Retry-After`, where the answer has it, and absent elsewhere'],
        ['`next_step`', 'one sentence: what to do next'],
        ['`details_omitted`', 'how many single faults (`detail[]`, `details[]`) were left out; absent where none was'],
      ],
    ),
    'Each single fault in `detail[]` and `details[]` has, beside `type`, `loc`, `msg` and `input`:',
    table(
      ['Member', 'What it is'],
      [
        ['`field`', 'where it is, as names with dots: `loc` without the part of the request that it begins with'],
        [
          '`received`',
          'what was sent: a short value as it is, others by kind and size (`list of 101 items`), a secret as `(not shown)`; absent where nothing was sent',
        ],
        [
          '`allowed`',
          'what would have been let through, as keywords of JSON Schema: `{"type": "integer", "minimum": 1}`; absent where the rule cannot be told so',
        ],
      ],
    ),
    `An error has at most ${MAX_ERROR_BYTES} bytes of JSON, copies of its message (\`error_message\`, \`execution_outcome\`) and \`routing\` of a query for a capability aside: what is too long loses the parameters that were sent, \`field\` and \`received\` of faults that tell the same by \`loc\` and \`input\` (the first keeps its \`field\`), words of a fault that stand in the message, single faults from the end, and ends of texts, in this order.`,
    '## Codes',
    table(
      [
        'Code',
        'HTTP status',
        'Who must act',
        'Retry helps',
        'Message, where the route has none of its own',
        'Next step',
      ],
      byStatus.map((name) => {
        const { audience, retryable, message, nextStep } = errorRegistry[name];
        return [code(name), statusesOf(name), whoActs[audience], retryable ? 'yes' : 'no', message, nextStep];
      }),
    ),
    '## Example',
    '```json\n' + example + '\n```',
    '## Types of single faults',
    table(
      ['Type', 'What it means'],
      Object.entries(detailTypes).map(([name, meaning]) => [code(name), meaning]),
    ),
    '## Codes of others',
    table(
      ['Where', 'Whose'],
      [
        ['`reason_code`', 'how a Call or a query for a capability ended: [reason-codes.md](reason-codes.md)'],
        ['`error` below `/api/v1/oauth`', 'RFC 6749, 8628 and 8693'],
        ['`error.code` of `/mcp`', 'JSON-RPC 2.0 and MCP; `error.data.code` is of the table above'],
        ['`risk_code` of a claim', 'why a claim is blocked; it is an answer with 200'],
        ['`code` in a row of an import', '`validation_error`, `import_id_in_use`: the row was not taken'],
        ['`scope`, `constraint`', 'which scope or constraint a 403 is about'],
      ],
    ),
  );
}

const example = JSON.stringify(
  {
    status: 'failure',
    message: '"limit" is invalid: limit must not be less than 1',
    code: 'validation_error',
    detail: [
      {
        type: 'greater_than_equal',
        loc: ['query', 'limit'],
        msg: 'limit must not be less than 1',
        input: 0,
        received: 0,
        allowed: { type: 'integer', minimum: 1, maximum: 50 },
        field: 'limit',
      },
    ],
    retryable: false,
    next_step: errorRegistry.validation_error.nextStep,
  },
  undefined,
  2,
);
