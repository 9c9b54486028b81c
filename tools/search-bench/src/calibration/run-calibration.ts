import { table } from '@capability-router/tools-bench';
import { DEFAULT_MIN_FIT, shippedOptions, ToolIndex, type Judgement } from '@capability-router/tool-search';
import { documentsOf, languages, type Need, type NeedsData } from '../needs/needs-data.js';
import { fitLogistic, probabilityOf } from './fit-logistic.js';
import { judgedHits, type JudgedHit } from './judged-hits.js';
import { calibrationErrorOf, reliabilityOf, type Bin } from './reliability.js';

/** The most that the expected calibration error may be on the half to report on. */
export const MAX_CALIBRATION_ERROR = 0.05;

/** Bounds that are compared. */
const leastFits = [0, 0.2, 0.25, 0.28, 0.3, 0.32, 0.35, 0.4, 0.45, 0.5, 0.55];

interface LearntHit extends JudgedHit {
  readonly features: readonly number[];
  readonly glossed: boolean;
}

/** Learns the weights of the probability on the half to choose on, and prints them with what each least fit would do. */
export function calibrate(data: NeedsData): void {
  const hits = featuresOf(data);
  for (const glossed of [false, true]) {
    const of = hits.filter((hit) => hit.glossed === glossed);
    const weights = fitLogistic(of.filter(({ half }) => half === 'choose'));
    const foretold = of.map((hit) => ({ ...hit, probability: probabilityOf(weights, hit.features) }));
    const errors = (['choose', 'report'] as const).map(
      (half) => `${half} ${calibrationErrorOf(reliabilityOf(foretold.filter((hit) => hit.half === half))).toFixed(4)}`,
    );
    console.log(
      `${glossed ? 'glossed' : 'said'}: [${weights.map((weight) => weight.toFixed(2)).join(', ')}], error: ${errors.join(', ')}`,
    );
  }
}

/** By the least fit: unserved needs that get an answer, and good hits that are lost, in each language. */
export function leastFitsTable(data: NeedsData): string {
  const index = new ToolIndex(documentsOf(data.tools), shippedOptions());
  const rows = leastFits.map((minFit) => [minFit.toFixed(2), ...effectsOf(index, data, minFit)]);
  return table(['Least fit', ...effects], rows);
}

/** With the tools of each source alone as the catalogue, the same of the least fit that ships; needs for tools of other sources are unserved then. */
export function cataloguesTable(data: NeedsData): string {
  const options = shippedOptions();
  const rows = data.sources.map(({ source }) => {
    const tools = data.tools.filter((tool) => tool.source === source);
    const ids = new Set(tools.map(({ id }) => id));
    const isServed = ({ relevant }: Need): boolean => relevant.some((id) => ids.has(id));
    const needs = data.needs
      .filter(isServed)
      .map((need) => ({ ...need, relevant: need.relevant.filter((id) => ids.has(id)) }));
    const unserved = [...data.unserved, ...data.needs.filter((need) => !isServed(need))];
    const index = new ToolIndex(documentsOf(tools), options);
    return [source, String(tools.length), ...effectsOf(index, { needs, unserved }, DEFAULT_MIN_FIT)];
  });
  return table(['Catalogue', 'Tools', ...effects], rows);
}

const effects = languages.flatMap((language) => [`unserved answered ${language}`, `good hits lost ${language}`]);

/** The cells of `effects` for one least fit. */
function effectsOf(
  index: ToolIndex,
  { needs, unserved }: Pick<NeedsData, 'needs' | 'unserved'>,
  minFit: number,
): string[] {
  return languages.flatMap((language) => {
    const answered = unserved.filter((need) => index.search(need[language], { limit: 1, minFit }).length > 0);
    const good = (least: number): number =>
      needs.reduce(
        (sum, { relevant, [language]: text }) =>
          sum +
          index.search(text, { limit: 10, minFit: least }).filter(({ toolId }) => relevant.includes(toolId)).length,
        0,
      );
    return [percent(answered.length / unserved.length), percent(1 - good(minFit) / good(0))];
  });
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** How far what is foretold comes true among the first ten tools of each need of the half to report on. */
export function reliability(data: NeedsData, index: ToolIndex): { readonly error: number; readonly table: string } {
  const shown = judgedHits(data, index).filter(({ half }) => half === 'report');
  const bins = reliabilityOf(shown.map((hit) => ({ ...hit, probability: hit.finalScore })));
  return { error: calibrationErrorOf(bins), table: reliabilityTable(bins) };
}

function reliabilityTable(bins: readonly Bin[]): string {
  return table(
    ['`final_score`', 'Tools', 'mean `final_score`', 'called relevant'],
    bins.map(({ from, to, count, foretold, relevant }) => [
      `${from.toFixed(1)} to ${to.toFixed(1)}`,
      String(count),
      foretold.toFixed(3),
      relevant.toFixed(3),
    ]),
  );
}

/** Every hit with the features that its probability is learnt from, as they are before an answer caps its scores. */
function featuresOf(data: NeedsData): LearntHit[] {
  const documents = documentsOf(data.tools);
  const by = (judgement: Judgement): JudgedHit[] =>
    judgedHits(data, new ToolIndex(documents, { ...shippedOptions(), judgement }), false);
  const fits = by((hit) => hit.fit);
  const relative = by((hit) => hit.relative);
  const glossed = by((hit) => Number(hit.glossed));
  return fits.map((hit, at) => ({
    ...hit,
    features: [1, hit.finalScore, relative[at]?.finalScore ?? 0],
    glossed: glossed[at]?.finalScore === 1,
  }));
}
