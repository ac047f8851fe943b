/**
 * Where the compiled code keeps things in device memory: per worker an area with launch facts, scratch tables and counters, per warp
 * a frame with its control state and values. All offsets are in bytes; `W` is the worker's area, `F` the frame.
 */
import { type COST, REQUEST_COLUMNS } from '../machine/request.ts';

/** Launch and block facts at the start of a worker's area. */
export const INFO = {
  /** Block index x, y, z; block size; grid size: three words each. */
  ctaid: 0,
  ntid: 16,
  nctaid: 32,
  /** Physical address of the block's shared memory, and the bytes of it that the launch may touch. */
  sharedBase: 48,
  sharedLimit: 52,
  /** Dynamic shared bytes. */
  dynamicShared: 56,
  /** What must be added to the generic addresses of the access checked last to get physical ones, and the array of those addresses. */
  delta: 60,
  addresses: 64,
  /** Back edges left until the host is asked whether to go on. */
  patience: 68,
  /** Physical address and bytes per lane of local memory of the warp that runs. */
  localBase: 72,
  localStride: 76,
  /** Not zero: other workers run blocks of the same grid at the same time. */
  parallel: 80,
  /** Epoch of the distinct tables. */
  epoch: 84,
  warpSize: 88,
  /** Number of the warp that runs. */
  warp: 92,
  /** Physical address of the local memory of the first warp. */
  locals: 96,
  /** Warp-level instructions executed and the most that may be, as doubles; for kernels that run path by path. */
  steps: 104,
  limit: 112,
  /** Changes with all that a probe is told of but reads with a pattern. */
  acts: 120,
  /** Address of what a listener keeps for compiled code (scheduling/ledger.ts); 0 if there is none. */
  ledger: 124,
  /** 32 words: addresses rewritten by the host. */
  scratch: 128,
  /** A bit for each warp of the block that runs: its requests are traced. */
  traced: 256,
  /** See LaunchOutcome.elapsed (64 bits each). Of kernels that run warp by warp. */
  longest: 264,
  blocks: 272,
  /** What the instructions of `steps` weigh, as a double. */
  weight: 280,
  /** Not zero: the block may make accesses that must wait until all blocks before have ended. */
  turn: 288,
  /** Kernel parameters, 8 bytes for each component. */
  parameters: 512,
} as const;
/** Bytes of the parameter area: CUDA allows 4,096 bytes of parameters, which have at most 4,096 components. */
export const PARAMETER_BYTES = 8 * 4096;

/** Tables that count distinct keys: TABLE_SLOTS entries of key, epoch, count and a spare word. */
export const TABLE_SLOTS = 128;
export const TABLE_ENTRY_BYTES = 16;
export const ADDRESS_TABLE = INFO.parameters + PARAMETER_BYTES;
export const SECTOR_TABLE = ADDRESS_TABLE + TABLE_SLOTS * TABLE_ENTRY_BYTES;
/** Pending sums of integer additions to global memory: direct mapped by word address; address (0: none) and sum. */
export const SUM_SLOTS = 4096;
export const SUM_TABLE = SECTOR_TABLE + TABLE_SLOTS * TABLE_ENTRY_BYTES;
/** Counters start here: rows of blocks, then records of memory sites. */
export const COUNTERS = SUM_TABLE + SUM_SLOTS * 8;

/** Row of a basic block: executions, lanes, divergent branches at its end (64 bits each). */
export const BLOCK_ROW = { executions: 0, lanes: 8, divergent: 16, bytes: 24 } as const;

const COUNTS = 16;
const COUNTS_END = COUNTS + 8 * REQUEST_COLUMNS.length;
const MEMOS = (COUNTS_END + 24 + 15) & -16;
const MEMO_COUNT = 16;

/** Record of a memory site. Counts are 64 bits wide; those of the memos come on top. */
export const RECORD = {
  /** Allocation that the last access fell into: first address and size. */
  lo: 0,
  size: 4,
  /** Accesses of one address by all lanes that the fast path made, in global and in shared memory. */
  uniformGlobal: 8,
  ...(Object.fromEntries(REQUEST_COLUMNS.map((column, index) => [column, COUNTS + 8 * index])) as typeof COST),
  uniformShared: COUNTS_END,
  /** What an access to the allocation adds to the counts: 1, or 0 for reading constant memory (64 bits). */
  increment: COUNTS_END + 8,
  /** Requests that no memo described, and what gather-helper.ts knows of the site. */
  misses: COUNTS_END + 16,
  facts: COUNTS_END + 20,
  memos: MEMOS,
  memoCount: MEMO_COUNT,
  bytes: MEMOS + MEMO_COUNT * 192,
} as const;

/**
 * What an access with a certain mask, alignment and pattern of lane addresses asks of memory. Most instructions repeat the same
 * pattern with other base addresses, so their counts are looked up and not computed.
 */
export const MEMO = {
  mask: 0,
  /** Low bits of the first active lane's address, of those that matter for the counts. */
  phase: 4,
  kind: 8,
  /** Lowest lane address relative to the first active lane's, and bytes from there to the highest end. */
  low: 12,
  extent: 16,
  /** Sectors or wavefronts, and the ideal. */
  count: 20,
  ideal: 24,
  /** 0 global, 1 shared. */
  space: 28,
  hits: 32,
  /** Which of the lowest five bits of an address matter. */
  phaseBits: 40,
  /** Address of each lane relative to the first active lane's. */
  pattern: 48,
  bytes: 192,
} as const;

/**
 * How lanes that a probe was told of lay: for masks of each size one memo, as the count of leading zeros of the number of lanes says
 * (26 for all 32 lanes, 31 for one).
 */
export const PROBE_MEMO = {
  mask: 0,
  /** Reads whose first address is so far behind `rangeFrom` need not be told. */
  rangeFrom: 4,
  rangeSize: 8,
  /** Nor do those at this address as long as INFO.acts is the same (0: never was), by other warps than two. */
  repeated: 12,
  acts: 16,
  exceptWarp: 20,
  exceptOther: 24,
  /** Compiled code may check accesses that lie so by itself: 0 no, or one of what follows. */
  row: 28,
  anyRow: 1,
  /** Four words side by side, or a multiple. */
  contiguous: 2,
  offsets: 32,
  /** Of such accesses: the words that lanes access, the site, where in a warp's record its event is, what makes addresses generic,
   * the lowest byte and the first behind the highest, whether an atomic depends on what was there, and whether no lanes share a word. */
  rowWords: 160,
  site: 164,
  slot: 168,
  base: 172,
  low: 176,
  high: 180,
  used: 184,
  distinct: 188,
  /** Each word: its number, relative to the first lane's, times 1024, its first lane times 32, its last lane. */
  rows: 192,
  mostRowWords: 64,
  bytes: 448,
  count: 6,
  leastClz: 26,
} as const;

/** How the lanes of an access lie: what the moving helpers do with them. */
export const KIND = { consecutive: 1, uniform: 2, general: 3 } as const;

export const FRAME = {
  /** Control state while the warp is parked. */
  pc: 0,
  mask: 4,
  meeting: 8,
  stack: 12,
  /** Lanes that have not exited. */
  live: 16,
  /** Why the warp stopped: 0 it ended, 1 at a barrier. */
  status: 20,
  warp: 24,
  /** Lanes that are threads of the block. */
  threads: 28,
  /** Back edges of waiting loops that a path, or a parked warp, may still take, in units of ADVANCING_COST. */
  patience: 32,
  /** What the warp's instructions weigh, or those that it has met at barriers had until then (64 bits). Of kernels that run warp by warp. */
  elapsed: 40,
  /** Thread indices of the lanes and lane numbers: 32 words each. */
  tidX: 64,
  tidY: 192,
  tidZ: 320,
  lane: 448,
  values: 576,
} as const;

/** What the code of a path says when it returns to the scheduler. */
export const PATH_STATUS = {
  exited: 0,
  /** At the place where it meets others. */
  arrived: 1,
  /** A called function has returned, or is called: FRAME.pc says where the path goes on. */
  returned: 2,
  called: 3,
  parted: 4,
  gaveWay: 5,
  /** At an instruction that may have to wait. */
  paused: 6,
  overLimit: 7,
} as const;

/** What a branch that parts a path leaves for the scheduler: where the sides meet (-1: nowhere), how many there are, and each side. */
export const PARTING = { meeting: 0, count: 4, sides: 8 } as const;
export const PARTING_SIDE = { mask: 0, unit: 4, patience: 8, bytes: 12 } as const;

/** Entry of the reconvergence stack: where to go on, with which lanes, where those meet others, and what patience they have then. */
export const STACK_ENTRY = { pc: 0, mask: 4, meeting: 8, patience: 12, bytes: 16 } as const;
