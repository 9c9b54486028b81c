import { dashboardOf } from './dashboard.js';
import { kafka } from './kafka.js';
import { money } from './money.js';
import { overview } from './overview.js';
import { providers } from './providers.js';

/** The plans by the name of their file. */
export const dashboardPlans = { overview, money, kafka, providers };

/** Dashboards in Grafana's JSON by their path in the workspace; the chart makes a ConfigMap of each. */
export const dashboardDocuments = (): Readonly<Record<string, () => string>> =>
  Object.fromEntries(
    Object.entries(dashboardPlans).map(([name, plan]) => [
      `deploy/helm/capability-router/files/dashboards/${name}.json`,
      () => JSON.stringify(dashboardOf(plan)),
    ]),
  );
