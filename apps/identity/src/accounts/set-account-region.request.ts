import { ValidateIf } from 'class-validator';
import { Region } from './region.decorator.js';

/** Body of `PUT /admin/v1/accounts/{account_id}/region`. */
export class SetAccountRegionRequest {
  /** Null where it is not known. */
  @ValidateIf((request: SetAccountRegionRequest) => request.region !== null)
  @Region()
  readonly region: string | null;
}
