import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SourceRequest } from './source-request.js';

/** A row of `tool_sources`: an API or an MCP server of which tools were made. */
@Entity({ name: 'tool_sources' })
export class SourceRecord {
  @PrimaryColumn({ name: 'source_id', type: 'text' })
  sourceId: string;

  @Column({ type: 'text' })
  kind: 'openapi' | 'mcp';

  @Column({ name: 'provider_id', type: 'text' })
  providerId: string;

  /** Without a document that was sent with it. */
  @Column({ type: 'json' })
  request: SourceRequest;

  /** By the key of the tool at the source. */
  @Column({ name: 'tool_ids', type: 'json' })
  toolIds: Readonly<Record<string, string>>;

  /** Tools of the last import by result. */
  @Column({ type: 'json' })
  counts: Readonly<Record<string, number>>;

  @Column({ name: 'imported_at', type: 'timestamptz' })
  importedAt: Date;
}
