import { eventTypesOfKind, usageKinds } from './domain/usage-kinds.js';

/** As `kindOf`, in SQL, of `u.event_type`. */
export const kindSql = `CASE ${usageKinds
  .map(
    (kind) => `WHEN u.event_type IN (${eventTypesOfKind[kind].map((type) => `'${type}'`).join(', ')}) THEN '${kind}'`,
  )
  .join(' ')} END`;
