import type { JsonObject } from '@capability-router/kernel';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `tool_schemas`. JSON, not JSONB: the order of parameters is part of what people read. */
@Entity({ name: 'tool_schemas' })
export class ToolSchemaRecord {
  @PrimaryColumn({ name: 'tool_id', type: 'text' })
  toolId: string;

  @Column({ type: 'integer' })
  version: number;

  /** What follows is what the last published version said. */
  @Column({ type: 'boolean' })
  retired: boolean;

  @Column({ name: 'parameters_schema', type: 'json' })
  parametersSchema: JsonObject;

  /** Groups of names, of each of which a call needs one at least. */
  @Column({ name: 'one_of_required', type: 'jsonb' })
  oneOfRequired: readonly (readonly string[])[];

  /** Of `result.data`; null where the tool says nothing of it. */
  @Column({ name: 'result_schema', type: 'json', nullable: true })
  resultSchema: JsonObject | null;
}
