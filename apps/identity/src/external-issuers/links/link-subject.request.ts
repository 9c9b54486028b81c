import { Matches } from 'class-validator';
import { PlainText } from '../../plain-text.decorator.js';
import { MAX_SUBJECT_LENGTH } from '../claims-of-token.js';

/** Characters: an issuer's name, or its `iss`. */
export const MAX_ISSUER_LENGTH = 500;

/** Body of `POST /admin/v1/external-subjects`. */
export class LinkSubjectRequest {
  @Matches(/^acc_[0-9a-f]{32}$/, { message: 'account_id must be the id of an account' })
  readonly account_id: string;

  /** By its name in `EXTERNAL_ISSUERS`, or as tokens have it. */
  @PlainText(1, MAX_ISSUER_LENGTH)
  readonly issuer: string;

  /** As tokens have it, to the letter. */
  @PlainText(1, MAX_SUBJECT_LENGTH)
  readonly subject: string;
}
