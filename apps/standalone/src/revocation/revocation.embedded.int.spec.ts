import { EmbeddedEventBus } from '@capability-router/event-bus';
import { describeRevocation } from './revocation.conformance.js';

const bus = new EmbeddedEventBus({ pollIntervalMs: 20 });

describeRevocation('the embedded bus', () => bus);
