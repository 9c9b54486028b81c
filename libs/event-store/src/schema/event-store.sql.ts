/** Idempotent; goes into the first migration of every service. */
export const eventStoreSchemaSql = `
CREATE TABLE IF NOT EXISTS event_store_epoch (
  only_row BOOLEAN PRIMARY KEY DEFAULT true CHECK (only_row),
  epoch BIGINT NOT NULL CHECK (epoch BETWEEN 0 AND 32766)
);
INSERT INTO event_store_epoch (epoch) VALUES (0) ON CONFLICT DO NOTHING;

CREATE TABLE IF NOT EXISTS events (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tx_order BIGINT NOT NULL,
  event_id UUID NOT NULL CONSTRAINT events_event_id_key UNIQUE,
  stream_id TEXT NOT NULL,
  sequence BIGINT NOT NULL CHECK (sequence > 0),
  type TEXT NOT NULL,
  source TEXT NOT NULL,
  topic TEXT NOT NULL,
  partition_key TEXT NOT NULL,
  data JSONB NOT NULL,
  meta JSONB NOT NULL,
  recorded_at TIMESTAMPTZ NOT NULL,
  CONSTRAINT events_stream_sequence_key UNIQUE (stream_id, sequence)
);
CREATE INDEX IF NOT EXISTS events_commit_order ON events (tx_order, position);
CREATE INDEX IF NOT EXISTS events_topic_commit_order ON events (topic, tx_order, position);

CREATE TABLE IF NOT EXISTS relay_leases (
  relay TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  generation BIGINT NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL,
  position TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS consumer_positions (
  consumer_group TEXT NOT NULL,
  topic TEXT NOT NULL,
  partition INTEGER NOT NULL,
  position TEXT NOT NULL,
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer_group, topic, partition)
);

CREATE TABLE IF NOT EXISTS parked_events (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  consumer_group TEXT NOT NULL,
  topic TEXT NOT NULL,
  partition_key TEXT NOT NULL,
  event_id UUID NOT NULL,
  source_partition INTEGER NOT NULL,
  source_position TEXT NOT NULL,
  event JSONB NOT NULL,
  reason TEXT NOT NULL,
  parked_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  CONSTRAINT parked_events_once UNIQUE (consumer_group, topic, event_id)
);
CREATE INDEX IF NOT EXISTS parked_events_by_key ON parked_events (consumer_group, topic, partition_key, id);
`;
