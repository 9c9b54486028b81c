import { reasonCodeMeanings, reasonCodes } from '@capability-router/contracts';
import { errorRegistry, type ErrorAudience } from '@capability-router/kernel';
import { code, codes, page, table } from './markdown.js';

export function reasonCodePage(): string {
  return page(
    'Reason codes',
    '`reason_code` of an execution outcome and of its audit row. Codes are stable, texts may change. A code that begins with `provider.` points to a third party. What was charged is said by `charge_outcome` of the audit row; the last column is what it normally is.',
    table(
      ['Code', 'Meaning', 'Typical charge outcome'],
      reasonCodes.map((reason) => {
        const { meaning, typicalChargeOutcomes } = reasonCodeMeanings[reason];
        return [code(reason), meaning, codes(typicalChargeOutcomes)];
      }),
    ),
  );
}

const whoActs: Readonly<Record<ErrorAudience, string>> = {
  caller: 'the caller',
  operator: 'whoever runs the deployment',
  bug: 'the maintainers',
};

export function errorPage(): string {
  return page(
    'Errors',
    'Every refused request is answered as `{"status": "failure", "message": …}` with an `X-Request-Id` header. A retry of the same request can only help where the table says so.',
    table(
      ['Error', 'HTTP status', 'Who must act', 'Retry helps', 'Message, where the route has none of its own'],
      Object.entries(errorRegistry)
        .sort(([, a], [, b]) => a.httpStatus - b.httpStatus)
        .map(([name, error]) => [
          code(name),
          String(error.httpStatus),
          whoActs[error.audience],
          error.retryable ? 'yes' : 'no',
          error.message,
        ]),
    ),
  );
}
