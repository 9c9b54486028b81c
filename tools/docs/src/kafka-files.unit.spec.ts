import { describe, expect, it } from '@jest/globals';
import { allTopics, publicEventSchemas, topicConfig } from '@capability-router/contracts';
import { parseAllDocuments } from 'yaml';
import { jdbcSinkConfigurations } from './jdbc-sink.js';
import { kafkaTopicResources, kafkaTopicScript } from './kafka-topics.js';

describe('the topic definitions for operators', () => {
  it('are the topics that the services use, with their partitions and settings', () => {
    const resources = parseAllDocuments(kafkaTopicResources()).map((document): unknown => document.toJS());
    expect(resources).toEqual(
      allTopics.map((topic) => ({
        apiVersion: 'kafka.strimzi.io/v1',
        kind: 'KafkaTopic',
        metadata: { name: topic.name, labels: { 'strimzi.io/cluster': 'kafka' } },
        spec: {
          topicName: topic.name,
          partitions: topic.partitions,
          replicas: 3,
          config: { ...topicConfig(topic), 'min.insync.replicas': '2' },
        },
      })),
    );
  });

  it('have one line each in the script, with names that a Kubernetes object may have', () => {
    const lines = kafkaTopicScript()
      .split('\n')
      .filter((line) => line.startsWith('create --topic'));
    expect(lines).toHaveLength(allTopics.length);
    for (const { name, partitions, cleanupPolicy } of allTopics) {
      expect(name).toMatch(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/);
      const line = lines.find((one) => one.includes(` ${name} `));
      expect(line).toContain(`--partitions ${partitions} --config cleanup.policy=${cleanupPolicy} `);
    }
  });
});

describe('the JDBC sinks', () => {
  const files = jdbcSinkConfigurations();
  const tables = files['deploy/kafka-connect/tables.sql']?.() ?? '';
  const sinks = Object.entries(files)
    .filter(([path]) => path.endsWith('.json'))
    .map(([path, render]): [string, { name: string; config: Record<string, string> }] => [
      path,
      JSON.parse(render()) as { name: string; config: Record<string, string> },
    ]);

  it.each(sinks)('say in %s what a converter, the transforms and the table need', (_path, { config }) => {
    const known = publicEventSchemas.find(({ topic }) => topic === config['topics'])?.schema;
    const { type, fields } = JSON.parse(config['value.converter.schema.content'] ?? '') as {
      type: string;
      fields: { field: string; type: string; name?: string; optional: boolean }[];
    };
    expect(type).toBe('struct');
    const members = Object.entries(known?.properties ?? {}).filter(([, schema]) => schema.type !== 'object');
    expect(fields.map(({ field }) => field)).toEqual(members.map(([member]) => member));
    expect(fields.filter(({ optional }) => !optional).map(({ field }) => field)).toEqual(
      known?.required?.filter((member) => fields.some(({ field }) => field === member)),
    );
    const instants = members.filter(([, schema]) => schema.format === 'date-time').map(([member]) => member);
    expect(fields.filter(({ name }) => name === 'io.debezium.time.ZonedTimestamp').map(({ field }) => field)).toEqual(
      instants,
    );
    for (const name of config['transforms']?.split(',') ?? []) {
      expect(config[`transforms.${name}.type`]).toMatch(/^org\.apache\.kafka\.connect\.transforms\.\w+\$Value$/);
    }
    const renames = new Map(
      (config['transforms.columns.renames'] ?? '').split(',').map((pair) => pair.split(':') as [string, string]),
    );
    const table =
      new RegExp(`CREATE TABLE IF NOT EXISTS ${config['collection.name.format']} \\(([^;]*)\\);`).exec(tables)?.[1] ??
      '';
    const columns = [...table.matchAll(/^ {2}([a-z_]+) [A-Z]+( NOT NULL)?,$/gm)].map((match) => match[1]);
    expect(columns).toEqual(fields.map(({ field }) => renames.get(field) ?? field));
    expect(table).toContain(`PRIMARY KEY (${config['primary.key.fields']?.replaceAll(',', ', ')})`);
    expect(config).toMatchObject({
      'consumer.override.isolation.level': 'read_committed',
      'insert.mode': 'upsert',
      'primary.key.mode': 'record_value',
    });
    expect(config['connection.password']).toMatch(/^\$\{env:\w+\}$/);
  });
});
