import { IsOptional, Matches } from 'class-validator';
import { PlainText } from '../../plain-text.decorator.js';
import { MAX_SUBJECT_LENGTH } from '../claims-of-token.js';
import { MAX_ISSUER_LENGTH } from './link-subject.request.js';

/** Query of `GET /admin/v1/external-subjects`: an account, or a subject with its issuer. */
export class ExternalSubjectsQuery {
  @IsOptional()
  @Matches(/^acc_[0-9a-f]{32}$/, { message: 'account_id must be the id of an account' })
  readonly account_id?: string;

  @IsOptional()
  @PlainText(1, MAX_ISSUER_LENGTH)
  readonly issuer?: string;

  @IsOptional()
  @PlainText(1, MAX_SUBJECT_LENGTH)
  readonly subject?: string;
}
