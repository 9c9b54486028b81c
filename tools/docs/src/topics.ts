import { deadLetterTopic, topics, type TopicDefinition } from '@capability-router/contracts';
import { code, codes, page, table } from './markdown.js';

const DAY_MS = 86_400_000;

export function topicTable(): string {
  const all = [...topics, deadLetterTopic];
  return page(
    'Topics',
    '`internal.*` topics are between services; `public.*` topics are contracts for others: additive change only within a major version. Events are CloudEvents 1.0 in binary mode with a JSON value. Order is kept per key. Public events are described in [asyncapi.yaml](asyncapi.yaml), and as JSON Schema and Avro in [schemas](schemas).',
    table(
      ['Topic', 'Producer', 'Readers', 'Key', 'Partitions', 'Cleanup', 'Retention'],
      all.map((topic) => [
        code(topic.name),
        topic.producer,
        topic.readers.length === 0 ? 'none yet' : topic.readers.join(', '),
        topic.key,
        String(topic.partitions),
        topic.cleanupPolicy,
        retention(topic),
      ]),
    ),
    '## What they carry',
    table(
      ['Topic', 'Events', 'Meaning'],
      all.map((topic) => [
        code(topic.name),
        topic.events.includes('*') ? 'any' : codes(topic.events),
        topic.description,
      ]),
    ),
  );
}

function retention(topic: TopicDefinition): string {
  if (topic.cleanupPolicy === 'compact') return 'the last event of each key';
  return topic.retentionMs < 0 ? 'for ever' : `${topic.retentionMs / DAY_MS} days`;
}
