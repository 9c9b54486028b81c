/** Renders `deploy/base`, reads `docker/compose.yaml`, and says what would fail on a cluster. Exit code 1 on a complaint. */
import { runCommand } from './command-line.js';
import { checkCompose, readComposeFile } from './deploy/check-compose.js';
import { checkEnvironments } from './deploy/check-environments.js';
import { checkPods } from './deploy/check-pods.js';
import { serviceVariables } from './deploy/env-specs.js';
import { renderKustomization } from './deploy/manifests.js';

await runCommand(async () => {
  const manifests = renderKustomization('deploy/base');
  const known = await serviceVariables();
  const complaints = [
    ...checkPods(manifests),
    ...checkEnvironments(manifests, known),
    ...checkCompose(readComposeFile(), known),
  ];
  for (const complaint of complaints) console.error(complaint);
  console.log(`${manifests.length} manifests rendered, ${complaints.length} complaints`);
  if (complaints.length > 0) process.exitCode = 1;
});
