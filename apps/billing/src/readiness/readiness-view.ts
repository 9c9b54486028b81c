import { sumOfCredits } from '../queries/sum-of-credits.js';
import { isReady, type EntityComparison } from './compare-ledger.sql.js';

const credits = (micro: bigint): number => sumOfCredits(micro.toString());
const total = (entities: readonly EntityComparison[], amount: (entity: EntityComparison) => bigint): bigint =>
  entities.reduce((sum, entity) => sum + amount(entity), 0n);

/** Data of `GET /auth/credits/ledger-readiness`. `legacy` is what the records beside the ledger say. */
export function readinessView(
  entities: readonly EntityComparison[],
  checked: {
    readonly checkedAt: string;
    readonly settledUntil: string;
    readonly start_date?: string;
    readonly end_date?: string;
  },
): Record<string, unknown> {
  const ready = entities.every(isReady);
  return {
    checked_at: checked.checkedAt,
    scope: 'all',
    recommended_read_mode: ready ? 'ledger' : 'legacy',
    ready,
    legacy_total_count: Number(total(entities, (entity) => entity.recordCount)),
    legacy_total_amount_credits: credits(total(entities, (entity) => entity.recordAmount)),
    ledger_total_count: Number(total(entities, (entity) => entity.ledgerCount)),
    ledger_total_amount_credits: credits(total(entities, (entity) => entity.ledgerAmount)),
    entities: entities.map((entity) => ({
      entity_type: entity.entityType,
      legacy_count: Number(entity.recordCount),
      legacy_amount_credits: credits(entity.recordAmount),
      ledger_count: Number(entity.ledgerCount),
      ledger_amount_credits: credits(entity.ledgerAmount),
      missing_count: Number(entity.missing),
      extra_count: Number(entity.extra),
      amount_delta_credits: credits(entity.ledgerAmount - entity.recordAmount),
      ready: isReady(entity),
    })),
    settled_until: checked.settledUntil,
    ...(checked.start_date === undefined ? {} : { start_date: checked.start_date }),
    ...(checked.end_date === undefined ? {} : { end_date: checked.end_date }),
  };
}
