import type { PostedBy } from '../../ledger/domain/entry-types.js';

/** The categories in which administrators grant, how the ledger calls each, and how it is described to the account. */
export const grantCategories = {
  purchased: { entryType: 'grant_payment_recharge', description: 'Top-up' },
  invite_reward: { entryType: 'grant_invitation_reward', description: 'Invitation reward' },
  welcome_bonus: { entryType: 'grant_welcome_bonus', description: 'Welcome bonus' },
  trial: { entryType: 'grant_welcome_bonus', description: 'Trial credits' },
} as const satisfies Record<string, { readonly entryType: PostedBy<'grant'>; readonly description: string }>;

export type GrantCategory = keyof typeof grantCategories;
export const grantCategoryNames = Object.keys(grantCategories) as GrantCategory[];
