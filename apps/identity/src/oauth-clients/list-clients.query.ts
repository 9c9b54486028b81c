import { Matches } from 'class-validator';

/** Query of `GET /admin/v1/oauth-clients`. */
export class ListClientsQuery {
  @Matches(/^acc_[0-9a-f]{32}$/, { message: 'account_id must be the id of an account' })
  readonly account_id: string;
}
