import { AppError, type JsonObject } from '@capability-router/kernel';
import type { ExternalIssuer } from '@capability-router/service-kit';
import { MAX_LINKS_PER_ACCOUNT, type LinkSubjectResult } from './link-subject.js';
import type { SubjectLink } from './subject-links.sql.js';

export interface ExternalSubjectFacts {
  readonly external_subject_id: string;
  readonly account_id: string;
  /** The issuer's name; absent where no issuer of this `iss` is configured any more. */
  readonly issuer?: string;
  readonly iss: string;
  /** Absent where a token of it opened the account: then it stands in the name of the account alone. */
  readonly subject?: string;
  readonly linked_at: string;
}

export interface ExternalSubjectList {
  readonly items: readonly ExternalSubjectFacts[];
}

export interface LinkedSubject extends ExternalSubjectFacts {
  /** Not every replica of the gateway has confirmed that it acts by it. */
  readonly pending?: true;
}

export interface UnlinkedSubject {
  readonly external_subject_id: string;
  readonly account_id: string;
  readonly removed_at: string;
  readonly pending?: true;
}

export function toFacts(link: SubjectLink, issuers: readonly ExternalIssuer[]): ExternalSubjectFacts {
  const { externalSubjectId, accountId, iss, subject, linkedAt } = link;
  const name = issuers.find((issuer) => issuer.iss === iss)?.name;
  return {
    external_subject_id: externalSubjectId,
    account_id: accountId,
    ...(name === undefined ? {} : { issuer: name }),
    iss,
    ...(subject === null ? {} : { subject }),
    linked_at: linkedAt.toISOString(),
  };
}

const invalid = (loc: readonly string[], message: string, msg: string, allowed?: JsonObject): AppError =>
  new AppError('validation_error', message, {
    details: [{ type: 'value_error', loc: [...loc], msg, ...(allowed === undefined ? {} : { allowed }) }],
  });

export function unknownIssuer(issuers: readonly ExternalIssuer[], location: 'body' | 'query'): AppError {
  const names = issuers.map(({ name }) => name).join(', ');
  const msg = names === '' ? 'EXTERNAL_ISSUERS names none' : `EXTERNAL_ISSUERS names: ${names}`;
  const known = { enum: issuers.flatMap(({ name, iss }) => [name, iss]) };
  return invalid([location, 'issuer'], `"issuer" is invalid: ${msg}`, msg, known);
}

export const askedForNobody = (): AppError => {
  const msg = 'give account_id alone, or issuer and subject';
  return invalid(['query', 'account_id'], `Say whose links are asked for: ${msg}.`, msg);
};

export const sharedIssuer = ({ name }: ExternalIssuer): AppError =>
  new AppError(
    'conflict',
    `EXTERNAL_ISSUERS has all tokens of "${name}" act for one account. Take its "account_id" out first.`,
  );

export function linkRefusal(result: Exclude<LinkSubjectResult, { readonly link: unknown }>): AppError {
  switch (result.status) {
    case 'unknown_account':
      return new AppError('not_found');
    case 'account_not_active':
      return new AppError('conflict', 'The account is not active.');
    case 'account_is_trial':
      return new AppError('conflict', 'The account is a trial. Have it claimed first.');
    case 'too_many_links':
      return new AppError('conflict', `The account has ${MAX_LINKS_PER_ACCOUNT} subjects. Remove one first.`);
    case 'linked_elsewhere': {
      const { accountId, externalSubjectId } = result.to;
      return new AppError(
        'conflict',
        `The subject belongs to ${accountId}. Remove its link ${externalSubjectId} first.`,
      );
    }
  }
}
