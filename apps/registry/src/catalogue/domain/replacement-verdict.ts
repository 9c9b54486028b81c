import { diffContracts, type ContractDiff } from './diff-contracts.js';

/** Questions to whoever replaces a version by another; the answers to them are told beside it. */
export type ReplacementVerdict = Pick<ContractDiff, 'breaking' | 'costsMore' | 'changesDestination'>;

export function judgeReplacement(...versions: Parameters<typeof diffContracts>): ReplacementVerdict {
  const { breaking, costsMore, changesDestination } = diffContracts(...versions);
  return { breaking, costsMore, changesDestination };
}

/** As administrators are told it; nothing where no version is replaced. */
export const verdictMembers = (
  verdict: ReplacementVerdict | undefined,
): { breaking?: boolean; costs_more?: boolean; changes_destination?: boolean } =>
  verdict === undefined
    ? {}
    : {
        breaking: verdict.breaking,
        costs_more: verdict.costsMore,
        changes_destination: verdict.changesDestination,
      };
