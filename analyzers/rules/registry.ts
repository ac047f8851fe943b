/** All rules, sorted by id. */

import { atomicResultUnusedCas } from './atomic-result-unused-cas.ts';
import { bankConflict } from './bank-conflict.ts';
import { childGridPerThread } from './child-grid-per-thread.ts';
import type { Rule } from './define-rule.ts';
import { deviceNotSet } from './device-not-set.ts';
import { divergentBarrier } from './divergent-barrier.ts';
import { divergentBranch } from './divergent-branch.ts';
import { divergentConstant } from './divergent-constant.ts';
import { divergentLoop } from './divergent-loop.ts';
import { doubleLiteral } from './double-literal.ts';
import { globalAccumulator } from './global-accumulator.ts';
import { gridSyncMisuse } from './grid-sync-misuse.ts';
import { hostDereference } from './host-dereference.ts';
import { hostPointerArgument } from './host-pointer-argument.ts';
import { hotGlobalAtomic } from './hot-global-atomic.ts';
import { hotSharedAtomic } from './hot-shared-atomic.ts';
import { implicitWarpSync } from './implicit-warp-sync.ts';
import { indexOutOfBounds } from './index-out-of-bounds.ts';
import { invalidLaunch } from './invalid-launch.ts';
import { l2Window } from './l2-window.ts';
import { lateWidening } from './late-widening.ts';
import { leakedAllocation } from './leaked-allocation.ts';
import { localArrayIndex } from './local-array-index.ts';
import { localPointerToChild } from './local-pointer-to-child.ts';
import { lostUpdate } from './lost-update.ts';
import { lowOccupancy } from './low-occupancy.ts';
import { misalignedAccess } from './misaligned-access.ts';
import { mismatchedCopy } from './mismatched-copy.ts';
import { missedElements } from './missed-elements.ts';
import { missingBarrier } from './missing-barrier.ts';
import { missingFence } from './missing-fence.ts';
import { moduloIndexing } from './modulo-indexing.ts';
import { oneThreadLoop } from './one-thread-loop.ts';
import { partialWarpBlock } from './partial-warp-block.ts';
import { removedApi } from './removed-api.ts';
import { repeatedGlobalLoad } from './repeated-global-load.ts';
import { serialTransfer } from './serial-transfer.ts';
import { serialisedStreams } from './serialised-streams.ts';
import { shuffleMask } from './shuffle-mask.ts';
import { slowIntegerDivision } from './slow-integer-division.ts';
import { structureStride } from './structure-stride.ts';
import { uncheckedLaunch } from './unchecked-launch.ts';
import { uncoalescedAccess } from './uncoalesced-access.ts';
import { uncopiedResult } from './uncopied-result.ts';
import { unorderedAccess } from './unordered-access.ts';
import { unorderedStreams } from './unordered-streams.ts';
import { unsetAccumulator } from './unset-accumulator.ts';
import { unsynchronisedHostAccess } from './unsynchronised-host-access.ts';
import { unwrittenShared } from './unwritten-shared.ts';

export const RULES: readonly Rule[] = [
  atomicResultUnusedCas,
  bankConflict,
  childGridPerThread,
  deviceNotSet,
  divergentBarrier,
  divergentBranch,
  divergentConstant,
  divergentLoop,
  doubleLiteral,
  globalAccumulator,
  gridSyncMisuse,
  hostDereference,
  hostPointerArgument,
  hotGlobalAtomic,
  hotSharedAtomic,
  implicitWarpSync,
  indexOutOfBounds,
  invalidLaunch,
  l2Window,
  lateWidening,
  leakedAllocation,
  localArrayIndex,
  localPointerToChild,
  lostUpdate,
  lowOccupancy,
  misalignedAccess,
  mismatchedCopy,
  missedElements,
  missingBarrier,
  missingFence,
  moduloIndexing,
  oneThreadLoop,
  partialWarpBlock,
  removedApi,
  repeatedGlobalLoad,
  serialTransfer,
  serialisedStreams,
  shuffleMask,
  slowIntegerDivision,
  structureStride,
  uncheckedLaunch,
  uncoalescedAccess,
  uncopiedResult,
  unorderedAccess,
  unorderedStreams,
  unsetAccumulator,
  unsynchronisedHostAccess,
  unwrittenShared,
];
