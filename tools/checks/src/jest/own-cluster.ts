/**
 * One of jest's `setupFiles`: where TEST_POSTGRES_URL lists several clusters, separated by commas, the specs of worker N
 * see the N-th alone. A reader stops below the oldest open transaction of its whole cluster, so a test that keeps one
 * open on purpose would delay what the test of another worker waits for.
 */
import { clusterOfWorker } from './cluster-of-worker.js';

const urls = process.env['TEST_POSTGRES_URL'];
if (urls !== undefined) process.env['TEST_POSTGRES_URL'] = clusterOfWorker(urls, process.env['JEST_WORKER_ID']);
