/**
 * Renders `deploy/base`, `deploy/s3-results` and the chart, reads `docker/compose.yaml`, and says what would fail on a cluster. Exit
 * code 1 on a complaint.
 */
import { runCommand } from './command-line.js';
import { renderChart, withoutPrefix } from './deploy/chart.js';
import { checkCompose, readComposeFile } from './deploy/check-compose.js';
import { checkEnvironments } from './deploy/check-environments.js';
import { checkPods } from './deploy/check-pods.js';
import { checkServices } from './deploy/check-services.js';
import { serviceVariables } from './deploy/env-specs.js';
import { renderKustomization } from './deploy/manifests.js';

await runCommand(async () => {
  const known = await serviceVariables();
  const complaints = checkCompose(readComposeFile(), known);
  const renderings = new Map(
    ['deploy/base', 'deploy/s3-results'].map((folder) => [folder, renderKustomization(folder)]),
  );
  for (const values of ['minimal.yaml', 'everything.yaml']) {
    const manifests = renderChart({ release: 'one', values });
    renderings.set(`deploy/helm, ${values}`, withoutPrefix(manifests, 'one-capability-router-'));
  }
  let rendered = 0;
  for (const [folder, manifests] of renderings) {
    const found = [...checkPods(manifests), ...checkServices(manifests), ...checkEnvironments(manifests, known)];
    complaints.push(...found.map((complaint) => `${folder}: ${complaint}`));
    rendered += manifests.length;
  }
  for (const complaint of complaints) console.error(complaint);
  console.log(`${rendered} manifests rendered, ${complaints.length} complaints`);
  if (complaints.length > 0) process.exitCode = 1;
});
