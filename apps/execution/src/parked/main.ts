import { parkedCommand } from '@capability-router/service-kit';
import { openParkedStore } from './open-parked-store.js';

/** `list` shows the events that execution has parked; `replay GROUP KEY` handles those of one key again, in order. */
process.exitCode = await parkedCommand(process.argv.slice(2), () => openParkedStore(process.env));
