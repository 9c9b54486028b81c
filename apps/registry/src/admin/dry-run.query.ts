import { IsIn, IsOptional } from 'class-validator';

/** Query of routes that can tell what they would do. */
export class DryRunQuery {
  @IsOptional()
  @IsIn(['true', 'false'])
  readonly dry_run: 'true' | 'false' = 'false';
}
