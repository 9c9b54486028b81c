import { reasonCodeMeanings, reasonCodes } from '@capability-router/contracts';
import { faultCauses } from '@capability-router/execution';
import { errorRegistry, isToldCode, type ErrorAudience, type ErrorCode } from '@capability-router/kernel';
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

const toldCodes = (Object.keys(errorRegistry) as ErrorCode[]).filter(isToldCode);

export function errorPage(): string {
  return page(
    'Errors',
    'Every refused request is answered as `{"status": "failure", "message": …}` with an `X-Request-Id` header. A retry of the same request can only help where the table says so. ' +
      `Where a client decides by it what to do, the answer has the error as its \`code\`: ${codes(toldCodes)}.`,
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
