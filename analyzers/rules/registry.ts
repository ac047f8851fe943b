/** All rules, sorted by id. */
import type { Rule } from './define-rule.ts';
import { divergentBranch } from './divergent-branch.ts';
import { gridSyncMisuse } from './grid-sync-misuse.ts';
import { hotGlobalAtomic } from './hot-global-atomic.ts';
import { uncoalescedAccess } from './uncoalesced-access.ts';

export const RULES: readonly Rule[] = [divergentBranch, gridSyncMisuse, hotGlobalAtomic, uncoalescedAccess];
