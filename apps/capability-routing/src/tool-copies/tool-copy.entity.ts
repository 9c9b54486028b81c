import type { PriceRule } from '@capability-router/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `tool_copies`: of a tool that can be called, what a decision needs to know of it. */
@Entity({ name: 'tool_copies' })
export class ToolCopyRecord {
  @PrimaryColumn({ name: 'tool_id', type: 'text' })
  toolId: string;

  @Column({ type: 'integer' })
  version: number;

  /** What follows is what the last published version said. */
  @Column({ type: 'boolean' })
  retired: boolean;

  @Column({ name: 'provider_id', type: 'text' })
  providerId: string;

  @Column({ type: 'jsonb' })
  price: PriceRule;

  /** `hashPriceRule` of `price`. */
  @Column({ name: 'price_rule_hash', type: 'text' })
  priceRuleHash: string;

  /** Names of parameters that every call needs. */
  @Column({ name: 'required_parameters', type: 'text', array: true })
  requiredParameters: string[];

  /** Groups of names, of each of which a call needs one at least. */
  @Column({ name: 'one_of_required', type: 'jsonb' })
  oneOfRequired: readonly (readonly string[])[];

  /** As in the tool's contract; null for everywhere. */
  @Column({ type: 'text', nullable: true })
  region: string | null;

  /** Accounts whose own calls say nothing of the tool. */
  @Column({ name: 'owner_account_ids', type: 'text', array: true })
  ownerAccountIds: string[];
}
