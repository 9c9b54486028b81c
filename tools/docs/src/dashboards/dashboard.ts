import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
  VariableSort,
  type Dashboard,
  type Panel,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatPanelBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeSeriesPanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** Matchers of the release that a dashboard shows. Where nothing sets these labels, "All" finds what has none. */
export const OF_RELEASE = 'namespace=~"$namespace",release=~"$release"';

/** One figure, or one set of lines. */
export interface Chart {
  readonly title: string;
  /** Says how to read it, and what to do where it is bad. */
  readonly description: string;
  /** One of `@grafana/grafana-foundation-sdk/units`. */
  readonly unit: string;
  /** PromQL by legend; a legend names labels as `{{label}}`. */
  readonly queries: Readonly<Record<string, string>>;
  /** The value now, red from this one on, in place of lines. */
  readonly redFrom?: number;
}

export interface DashboardPlan {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly rows: Readonly<Record<string, readonly Chart[]>>;
}

/** Panels beside each other, and as many of those that show one figure. */
const LINES_PER_ROW = 3;
const FIGURES_PER_ROW = 6;
const WHOLE_WIDTH = 24;
const LINES_HEIGHT = 8;
const FIGURE_HEIGHT = 4;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** The dashboard in Grafana's JSON, whose data source, namespace and release are chosen at its head. */
export function dashboardOf({ uid, title, description, rows }: DashboardPlan): Dashboard {
  const builder = new DashboardBuilder(`Capability router: ${title}`)
    .uid(uid)
    .description(description)
    .tags(['capability-router'])
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: 'now-3h', to: 'now' })
    .refresh('1m')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(variableOf('namespace', 'label_values(build_info, namespace)'))
    .withVariable(variableOf('release', 'label_values(build_info{namespace=~"$namespace"}, release)'));
  let id = 0;
  for (const [row, charts] of Object.entries(rows)) {
    builder.withRow(new RowBuilder(row).id((id += 1)));
    for (const chart of charts) builder.withPanel(panelOf(chart, (id += 1)));
  }
  return builder.build();
}

const variableOf = (name: string, query: string): QueryVariableBuilder =>
  new QueryVariableBuilder(name)
    .label(name)
    .datasource(DATASOURCE)
    .query(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc)
    .multi(true)
    .includeAll(true)
    .allValue('.*');

function panelOf({ title, description, unit, queries, redFrom }: Chart, id: number): Builder<Panel> {
  const targets = Object.entries(queries).map(([legend, expr], index) =>
    new DataqueryBuilder()
      .refId(String.fromCodePoint('A'.charCodeAt(0) + index))
      .expr(expr)
      .legendFormat(legend),
  );
  const panel = redFrom === undefined ? new TimeSeriesPanelBuilder() : new StatPanelBuilder().thresholds(red(redFrom));
  const [perRow, height] = redFrom === undefined ? [LINES_PER_ROW, LINES_HEIGHT] : [FIGURES_PER_ROW, FIGURE_HEIGHT];
  return panel
    .id(id)
    .title(title)
    .description(description)
    .unit(unit)
    .datasource(DATASOURCE)
    .targets(targets)
    .span(WHOLE_WIDTH / perRow)
    .height(height);
}

const red = (from: number): ThresholdsConfigBuilder =>
  new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([
    { value: null, color: 'green' },
    { value: from, color: 'red' },
  ]);
