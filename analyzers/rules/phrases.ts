/**
 * The words that rules put into their messages, and those of related places and fixes. They have names, so that a finding can be said in
 * another language (l10n/rules.*.json): what is no phrase is code, a name or a number.
 */
import type { Wording } from '../../protocol/finding.ts';
import { filled, type Parts } from '../wording.ts';
import type { Rule } from './define-rule.ts';

/** Sorted by name. */
export const PHRASES = {
  aFurtherLoop: 'a further loop',
  aLoop: 'a loop',
  about: 'about {count}',
  allBlocks: 'all blocks',
  allLanesOfWarp: 'all lanes of a warp',
  allThreadsOfBlock: 'all threads of a block',
  allWarps: 'all',
  allWarpsOfBlock: 'all warps of a block',
  alsoLocal: 'so are the {bytes} bytes of `{name}`',
  andHere: 'and here',
  andHereIn: 'and here, in {kernels}',
  andHereInDiffering: 'and here, in {kernels} (a different finding in {others})',
  andHereInNumbers: 'and here, in {kernels} (different numbers in {others})',
  assumedBlock: ' (assuming blocks of {size} threads)',
  assumedBlocks: ' (assuming blocks of {size} or {other} threads)',
  assumedStart: ' (where it begins at a multiple of 32 bytes)',
  atLeast: 'at least {count}',
  block: '1 block',
  blocks: '{count} blocks',
  byte: '1 byte',
  bytes: '{count} bytes',
  bytesApart: '{bytes} bytes apart',
  bytesAre: '{bytes} bytes are',
  callSynchronizeFirst: 'Call cudaDeviceSynchronize() first',
  code: '`{text}`',
  combinedWith: 'combined with `{text}`',
  cooperativePerDevice: 'one cooperative launch per device',
  cooperativePerDeviceEvents: 'one `cudaLaunchCooperativeKernel` per device, with events between them',
  dataStoredHere: 'data stored here',
  declareStatic: 'Declare the table `static`',
  declaredHere: 'declared here',
  eachOf: 'each',
  element: '1 element',
  elements: '{count} elements',
  fieldHere: 'and its field `{name}`',
  fieldInstead: 'the field `{name}`',
  firstIterations: 'the first {count} iterations',
  floatLiteral: 'Make it a float literal',
  floatLiterals: 'Make {count} literals in this kernel float',
  freeAtEnd: 'Free `{name}` at the end of the body',
  fromTo: '{least} to {most}',
  furtherInstruction: '1 further instruction',
  furtherInstructions: '{count} further instructions',
  guardLetsThrough: 'the guard lets them through',
  guardWith: 'Guard with `{code}`',
  inBlocksOfWarps: 'in blocks of more than one warp, ',
  inKernels: 'in {kernels}: {message}',
  inKernelsDiffering: 'in {kernels} (a different finding in {others}): {message}',
  inKernelsNumbers: 'in {kernels} (different numbers in {others}): {message}',
  instruction: '1 instruction',
  instructions: '{count} instructions',
  isDoubleToo: '`{text}` is a double, too',
  iterations: '{count} iterations',
  itsMemoryIs: 'its memory is',
  labelOfBlocks: '{label} with blocks of {shape}',
  labelOfUnknownBlocks: '{label} with blocks of unknown size',
  launchedHere: 'launched here',
  leftHereToo: 'lanes leave this loop in different rounds, too',
  lessThanPercent: 'less than 1 %',
  local: 'local',
  manyFurtherInstructions: 'a thousand or more further instructions',
  manyInstructions: 'a thousand or more instructions',
  maskedInstead: '`{name}` with a mask of the participating lanes',
  nameAllLanes: 'Name all lanes: 0xffffffffu',
  neighbouringOrFree: 'let neighbouring threads access neighbouring words, or leave an element free behind every 32 (`i + i / 32`)',
  neighbouringWords: 'let neighbouring threads access neighbouring words',
  onSameData: 'and on the same data at `{condition}`',
  onStream: '`{name}` on `{stream}`',
  onTopOfStatic: ' on top of {bytes} static bytes',
  one: 'one',
  oneElement: 'one element',
  oneLaunchPerDevice: '`{name}` and one launch per device',
  onlyCount: 'only {count}',
  onlyThoseWith: 'only those with `{condition}`',
  otherThread: 'the other thread',
  otherThreads: 'the other threads',
  otherThreadsCounted: 'the other {count} threads',
  overwritesOther: 'overwrites',
  padRow: 'pad each row by {elements}',
  padRowOf: 'Pad each row of `{array}` by {elements}',
  partHereToo: 'lanes part here, too',
  placedHereToo: 'data places `{array}` here, too',
  profilerInstead: '`cudaProfilerStart` and the profiler’s own options',
  readHere: 'read here',
  readHereUnordered: 'and read here, without __syncwarp() in between',
  reads: 'reads',
  readsOther: 'reads',
  replaceWith: 'Replace with {name}',
  replaceWithMask: 'Replace with {name} and the full mask',
  roundBlockSizeUp: 'Round the block size up to {threads}',
  roundBlocksUp: 'Round the number of blocks up',
  sectorsHere: 'and sectors of `{array}` here',
  sectorsInstead: '{sectors} sectors per request instead of {ideal}',
  sequentialAddressing: 'Use sequential addressing: the first threads work',
  setHitRatio: 'Set hitRatio to {ratio}',
  shared: 'shared',
  someOf: '{count}',
  startedHere: '`{name}` is started here',
  surfaceInstead: 'a surface object (`cudaCreateSurfaceObject`)',
  syncthreadsBetween: 'Put __syncthreads() between the write and the read',
  syncwarpBetween: 'Put __syncwarp() between writes and reads',
  tailLaunchInstead: 'a launch into `cudaStreamTailLaunch`, which runs after the parent grid ends',
  textureInstead: 'a texture object (`cudaCreateTextureObject`)',
  theCondition: 'the condition',
  theLoop: 'the loop',
  thread: '1 thread',
  threadfenceBefore: 'Put __threadfence() before the atomic',
  threads: '{count} threads',
  unevenlySpaced: 'unevenly spaced',
  upTo: 'up to {count}',
  volatileOrdersNothing: ', and `volatile` does not order lanes',
  waitForStream: 'Let the host wait for `{stream}` first',
  warp: '1 warp',
  warps: '{count} warps',
  withoutArguments: ' (as the program runs without arguments)',
  wordsHere: 'and words of `{array}` here',
  writes: 'writes',
  writtenHere: 'written here',
  writtenHereToo: 'written here, too',
} as const;

type PhraseName = keyof typeof PHRASES;

export function phrase(name: PhraseName, parts?: Parts): Wording {
  return parts ? { id: name, parts } : { id: name };
}

/** What a rule says of a place. */
export function messageWording({ id }: Rule, message: string, parts?: Parts): Wording {
  const name = `${id}/${message}`;
  return parts ? { id: name, parts } : { id: name };
}

/** The English text; messages are those of the rule. */
export function english(wording: Wording, rule?: Rule): string {
  const template = PHRASES[wording.id as PhraseName] ?? rule?.messages[wording.id.slice(rule.id.length + 1)] ?? wording.id;
  return filled(template, wording.parts, (part) => english(part, rule))!;
}
