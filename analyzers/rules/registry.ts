/** All rules, sorted by id. */

import { atomicResultUnusedCas } from './atomic-result-unused-cas.ts';
import { childGridPerThread } from './child-grid-per-thread.ts';
import type { Rule } from './define-rule.ts';
import { deviceNotSet } from './device-not-set.ts';
import { divergentBranch } from './divergent-branch.ts';
import { doubleLiteral } from './double-literal.ts';
import { globalAccumulator } from './global-accumulator.ts';
import { gridSyncMisuse } from './grid-sync-misuse.ts';
import { hostDereference } from './host-dereference.ts';
import { hotGlobalAtomic } from './hot-global-atomic.ts';
import { hotSharedAtomic } from './hot-shared-atomic.ts';
import { invalidLaunch } from './invalid-launch.ts';
import { l2Window } from './l2-window.ts';
import { localArrayIndex } from './local-array-index.ts';
import { localPointerToChild } from './local-pointer-to-child.ts';
import { lostUpdate } from './lost-update.ts';
import { lowOccupancy } from './low-occupancy.ts';
import { missingFence } from './missing-fence.ts';
import { removedApi } from './removed-api.ts';
import { repeatedGlobalLoad } from './repeated-global-load.ts';
import { serialTransfer } from './serial-transfer.ts';
import { shuffleMask } from './shuffle-mask.ts';
import { slowIntegerDivision } from './slow-integer-division.ts';
import { uncheckedLaunch } from './unchecked-launch.ts';
import { uncoalescedAccess } from './uncoalesced-access.ts';

export const RULES: readonly Rule[] = [
  atomicResultUnusedCas,
  childGridPerThread,
  deviceNotSet,
  divergentBranch,
  doubleLiteral,
  globalAccumulator,
  gridSyncMisuse,
  hostDereference,
  hotGlobalAtomic,
  hotSharedAtomic,
  invalidLaunch,
  l2Window,
  localArrayIndex,
  localPointerToChild,
  lostUpdate,
  lowOccupancy,
  missingFence,
  removedApi,
  repeatedGlobalLoad,
  serialTransfer,
  shuffleMask,
  slowIntegerDivision,
  uncheckedLaunch,
  uncoalescedAccess,
];
