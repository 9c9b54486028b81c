import type { PriceRule, ToolTerms } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `tool_copies`: what decisions and bindings need to know of a tool. Schemas are JSON, not JSONB: the order of parameters is part of what people read. */
@Entity({ name: 'tool_copies' })
export class ToolCopyRecord {
  @PrimaryColumn({ name: 'tool_id', type: 'text' })
  toolId: string;

  @Column({ type: 'integer' })
  version: number;

  /** The members below are those of the last published version. */
  @Column({ type: 'boolean' })
  retired: boolean;

  @Column({ name: 'provider_id', type: 'text' })
  providerId: string;

  @Column({ type: 'jsonb' })
  price: PriceRule;

  /** `hashPriceRule` of `price`. */
  @Column({ name: 'price_rule_hash', type: 'text' })
  priceRuleHash: string;

  /** The schema of an object that takes no other members. */
  @Column({ name: 'parameters_schema', type: 'json' })
  parametersSchema: JsonObject;

  /** Groups of names, of each of which a call needs one at least. */
  @Column({ name: 'one_of_required', type: 'jsonb' })
  oneOfRequired: readonly (readonly string[])[];

  /** As in the tool's contract; null for everywhere. */
  @Column({ type: 'text', nullable: true })
  region: string | null;

  /** Accounts whose own calls say nothing of the tool. */
  @Column({ name: 'owner_account_ids', type: 'text', array: true })
  ownerAccountIds: string[];

  /** The schema of `result.data`; null where the tool says nothing of it. */
  @Column({ name: 'result_schema', type: 'json', nullable: true })
  resultSchema: JsonObject | null;

  /** The publisher's terms for the use of results; null where it says nothing. */
  @Column({ type: 'jsonb', nullable: true })
  terms: ToolTerms | null;

  /** Replicas of the release before write and read it; this one does neither. */
  @Column({ name: 'required_parameters', type: 'text', array: true, select: false, insert: false, update: false })
  requiredParameters?: string[];

  /** See `txOrderSql`. */
  @Column({ name: 'change_order', type: 'bigint' })
  changeOrder: string;
}

/** A copy, without where it stands in the order of changes. */
export type ToolCopy = Omit<ToolCopyRecord, 'changeOrder' | 'requiredParameters'>;
