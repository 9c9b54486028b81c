import type { OAuthScope } from '@capability-router/contracts';
import type { Problem } from './page-texts.js';

interface WithProblem {
  readonly problem?: Problem | undefined;
}

/** The contents of a page. `userCode`: with its hyphen. Every text of these is escaped when it is put into the page. */
export type PageView =
  | (WithProblem & { readonly kind: 'enter_code'; readonly userCode: string })
  | (WithProblem & {
      readonly kind: 'sign_in';
      readonly userCode: string;
      readonly clientName: string;
      /** The deployment sends mail. */
      readonly mails: boolean;
      /** Which of the two forms the problem is of. */
      readonly tried?: 'key' | 'mail';
      readonly email: string;
    })
  | (WithProblem & { readonly kind: 'mailed_code'; readonly userCode: string; readonly email: string })
  | {
      readonly kind: 'consent';
      readonly userCode: string;
      readonly clientName: string;
      /** A masked key or address. */
      readonly signedInAs: string;
      readonly scopes: readonly OAuthScope[];
      /** Asked for, and not to be had by this sign-in. */
      readonly leftOut: readonly OAuthScope[];
      readonly resource: string;
      readonly days: number;
      readonly statement: string;
    }
  | { readonly kind: 'approved' | 'denied' };
