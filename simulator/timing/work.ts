/** What a launch asks of each unit of the device, and how long one of its warps takes by itself. */
import type { TimeLimit } from '../../counters/limits.ts';
import type { Pipe, Timings } from '../../devices/timings.ts';
import { FIELD, SITE_FIELDS } from '../counters/site-counters.ts';
import { sizeOf } from '../ir/layout.ts';
import type { Block, Instruction, IrFunction } from '../ir/types.ts';
import { functionFacts } from '../simt/analyze.ts';
import { ONCE, pieceCycles, type Waits, type WrittenOut } from './chains.ts';
import { FAR_ROUNDS, ROUNDS, roundsOfPiece } from './counted-loops.ts';
import type { Precision } from './flops.ts';
import { type Facts, factsOf, mayBeSame } from './function-facts.ts';
import type { LaunchTimeInput, Residency } from './launch-time.ts';
import { inFlow, loadsForLater } from './loads-for-later.ts';
import { type Locality, siteKey } from './locality.ts';
import { type MachineCost, machineCode } from './machine-code.ts';
import { type RetryLoop, tries } from './retries.ts';
import { isCopyUnit, siteWeights } from './site-weights.ts';
import { type Piece, straightPieces } from './straight-code.ts';

export interface Work {
  /** Cycles of one warp by itself: the mean of all warps. */
  readonly warpCycles: number;
  /** Cycles that the longest way through the mean block, and through the longest one, takes beyond those. */
  readonly blockExcess: number;
  readonly longestExcess: number;
  /** Warp instructions, and visits of pipes by warps. */
  readonly issues: number;
  readonly visits: Readonly<Record<Pipe, number>>;
  readonly sharedWavefronts: number;
  /** Lines of which L2 is asked for sectors. */
  readonly l2Lines: number;
  /** Lines of 128 bytes that requests to global and local memory ask of L1, each once per request. */
  readonly l1Lines: number;
  readonly loadSectors: number;
  readonly l1HitSectors: number;
  readonly storeSectors: number;
  /** As many sectors would hold all that is stored. */
  readonly wholeStores: number;
  readonly atomicSectors: number;
  /** Of local memory: stores go through L1, loads may find what is there. */
  readonly localLoadSectors: number;
  readonly localStoreSectors: number;
  /** Lanes of loads from constant memory whose addresses differ: they are served one address after the other. */
  readonly constantLanes: number;
  /** Cycles that L2 takes for atomics. */
  readonly atomicCycles: number;
  /** Floating-point operations of all lanes. */
  readonly flops: Readonly<Record<Precision, number>>;
  /** By function and limit, what each site asks of it: in units of its own, to be compared with the other sites of the launch. */
  readonly uses: ReadonlyMap<string, Uses>;
}

/** By limit, then site. */
export type Uses = ReadonlyMap<TimeLimit, Float64Array>;

type Mutable = { -readonly [K in keyof Work]: Work[K] } & {
  visits: Record<Pipe, number>;
  flops: Record<Precision, number>;
  uses: Map<string, Uses>;
};

interface Row {
  readonly executions: number;
  readonly lanes: number;
  readonly divergent: number;
  readonly globalRequests: number;
  readonly globalSectors: number;
  readonly globalSectorsIdeal: number;
  readonly globalAtomicSectors: number;
  readonly sharedRequests: number;
  readonly sharedWavefronts: number;
  readonly sharedWavefrontsIdeal: number;
  readonly localRequests: number;
  readonly localSectors: number;
  readonly slowPaths: number;
}

interface WorkInput extends LaunchTimeInput {
  readonly timings: Timings;
  readonly fits: Residency;
  /** Share of what the grid reads that L2 does not have at its start. */
  readonly coldness: number;
}

export function workOf(input: WorkInput): Work {
  const { launch, counters, module } = input;
  const blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  const warps = blocks * Math.ceil((launch.block[0] * launch.block[1] * launch.block[2]) / 32);
  const work: Mutable = {
    warpCycles: 0,
    blockExcess: 0,
    longestExcess: 0,
    issues: 0,
    visits: { fp32: 0, int: 0, fp64: 0, special: 0 },
    sharedWavefronts: 0,
    l1Lines: 0,
    l2Lines: 0,
    loadSectors: 0,
    l1HitSectors: 0,
    storeSectors: 0,
    wholeStores: 0,
    constantLanes: 0,
    atomicSectors: 0,
    localLoadSectors: 0,
    localStoreSectors: 0,
    atomicCycles: 0,
    flops: { fp16: 0, fp32: 0, fp64: 0 },
    uses: new Map(),
  };
  const uneven = { weight: 0, cycles: 0 };
  let weight = 0;
  for (const [name, { data }] of counters) {
    const fn = module.ir.functions.get(name);
    if (!fn) continue;
    if (isCopyUnit(fn)) {
      new FunctionWork(fn, data, input, work).addCopies(warps);
      continue;
    }
    siteWeights(fn, module.ir, input.timings).forEach((each, site) => {
      weight += each * data[site * SITE_FIELDS.length + FIELD.executions];
    });
    new FunctionWork(fn, data, input, work).add(warps, uneven);
  }
  const { elapsed } = input;
  if (!elapsed || weight === 0) return work;
  const each = uneven.weight > 0 ? uneven.cycles / uneven.weight : (work.warpCycles * warps) / weight;
  work.blockExcess = each * Math.max(0, elapsed.blocks / blocks - weight / warps);
  work.longestExcess = each * Math.max(0, elapsed.longest - weight / warps);
  return work;
}

/** Where not all warps come equally often: what the instructions that they execute weigh, and cycles of a warp by itself. */
interface Uneven {
  weight: number;
  cycles: number;
}

class FunctionWork {
  readonly #fn: IrFunction;
  readonly #data: Float64Array;
  readonly #input: WorkInput;
  readonly #work: Mutable;
  readonly #costs: readonly MachineCost[];
  /** By site, of loops that only wait: which share of what they have counted is taken. */
  readonly #counted = new Map<number, number>();
  /** Of sites; undefined where nobody asks. */
  readonly #uses: Map<TimeLimit, Float64Array> | undefined;
  #cold: number | undefined;

  constructor(fn: IrFunction, data: Float64Array, input: WorkInput, work: Mutable) {
    this.#fn = fn;
    this.#data = data;
    this.#input = input;
    this.#work = work;
    this.#costs = machineCode(fn, input.module.ir, input.timings);
    this.#countWaits();
    // Lines are told times with cold caches, as kernels are.
    this.#uses = input.caches === 'cold' ? new Map() : undefined;
    if (this.#uses) work.uses.set(fn.name, this.#uses);
  }

  /** A loop that waits counts once for each warp that comes to it. */
  #countWaits(): void {
    const ended = (block: number): number => this.#row(this.#fn.blocks[block].instructions.at(-1)!.site).executions;
    for (const { loop, entries } of this.#facts.waiting.loops) {
      const executions = ended(loop.header);
      const share = executions > 0 ? Math.min(1, entries.reduce((sum, each) => sum + ended(each), 0) / executions) : 1;
      for (const block of loop.blocks) for (const { site } of this.#fn.blocks[block].instructions) this.#counted.set(site, share);
    }
  }

  #use(limit: TimeLimit, site: number, amount: number): void {
    if (!this.#uses || amount === 0) return;
    let sites = this.#uses.get(limit);
    if (!sites) {
      sites = new Float64Array(this.#data.length / SITE_FIELDS.length);
      this.#uses.set(limit, sites);
    }
    sites[site] += amount;
  }

  /** Copies that a unit makes beside the warps: their traffic, and the time until the first byte is there. */
  addCopies(warps: number): void {
    const [{ instructions: first }] = this.#fn.blocks;
    this.#work.warpCycles += (this.#row(first.at(-1)!.site).executions * this.#input.timings.latency.l2) / warps;
    for (const { instructions } of this.#fn.blocks)
      for (const { site } of instructions) if (this.#row(site).globalRequests > 0) this.#addMemory(site);
  }

  add(warps: number, uneven: Uneven): void {
    const { roots } = this.#facts;
    const { block: threads } = this.#input.launch;
    const waits: Waits = {
      window: this.#input.timings.window,
      loadsAhead: this.#input.timings.loadsAhead,
      holds: (instruction) => this.#holds(instruction),
      barrierCycles: this.#barrierCycles(Math.ceil((threads[0] * threads[1] * threads[2]) / 32)),
      latencyOf: (instruction) => this.#latencyOf(instruction),
      busyOf: (instruction) => this.#busyOf(instruction),
      detourOf: (instruction) => this.#detourOf(instruction),
      spacingOf: ({ site }) => this.#spacingOf(site),
      staysBehind: (load, store) => mayBeSame(roots, load, store),
    };
    const { perWarpIssues, perWarpCycles } = this.#input.timings;
    this.#work.issues += this.#fn.isKernel ? warps * perWarpIssues : 0;
    this.#work.warpCycles += this.#fn.isKernel ? perWarpCycles : 0;
    const executed = this.#fn.blocks.map(({ instructions }) => this.#row(instructions.at(-1)!.site).executions);
    const { innermost } = this.#facts.flow;
    const weights = siteWeights(this.#fn, this.#input.module.ir, this.#input.timings);
    for (const block of this.#fn.blocks) {
      const executions = executed[block.index];
      if (executions === 0) continue;
      for (const { site } of block.instructions) {
        const { issues, pipe, visits, special = 0, spins, slow } = this.#costs[site];
        const times = spins ? this.#row(site).sharedRequests : executions;
        const own = (issues * times) / (this.#facts.loops.control.has(site) ? ROUNDS : 1);
        const beside = slow ? slow.instructions * this.#row(site).slowPaths : 0;
        this.#work.issues += own + beside;
        if (pipe) this.#work.visits[pipe] += own * (visits ?? 1);
        this.#work.visits.special += special * times;
        this.#use('special', site, special * times);
        this.#use('issue', site, own + beside);
        if (pipe) this.#use(pipe, site, own * (visits ?? 1));
        this.#addMemory(site);
      }
      this.#addFlops(block);
    }
    const { predicated } = functionFacts(this.#fn, this.#input.module.ir);
    const held = new Map<number, number>();
    const pieces = inFlow(this.#fn, straightPieces(this.#fn, predicated, executed));
    const later = loadsForLater(this.#fn, pieces, { executed, isFar: (site) => this.#row(site).globalRequests > 0 });
    /** By value that is under way: cycles until it is there, and how often it is loaded. */
    const underWay = new Map<number, { left: number; readonly executions: number }>();
    for (const [place, piece] of pieces.entries()) {
      const [head] = piece;
      const executions = executed[head.index];
      const parts = this.#writtenOut(piece, executions).map(({ share, ...written }) => {
        const arrivals = new Map([...underWay].map(([id, { left }]) => [id, left]));
        const chain = pieceCycles(piece, this.#costs, waits, { written, arrivals, later: later.byPiece[place] });
        return { share, chain };
      });
      const cycles = parts.reduce((sum, { share, chain }) => sum + share * chain.cycles, 0);
      for (const [id, about] of underWay) {
        about.left -= (cycles * executions) / about.executions;
        if (about.left <= 0) underWay.delete(id);
      }
      for (const [id, left] of parts[0].chain.left) for (const name of [id, ...later.names(id)]) underWay.set(name, { left, executions });
      this.#work.warpCycles += (cycles * executions) / warps;
      for (const { index } of piece) held.set(index, cycles);
      if (innermost[head.index] >= 0 || executions < warps || !this.#fn.isKernel) {
        uneven.cycles += cycles * executions;
        for (const { index, instructions } of piece) for (const { site } of instructions) uneven.weight += weights[site] * executed[index];
      }
      if (!this.#uses) continue;
      for (const { share, chain } of parts) for (const [site, own] of chain.bySite()) this.#use('latency', site, share * own * executions);
    }
    this.#addLocks(held);
  }

  /** By warps of a block. */
  #barrierCycles(warps: number): Waits['barrierCycles'] {
    const { latency, barrierPerWarp, barriers } = this.#input.timings;
    const block = latency.barrier + barrierPerWarp * warps;
    const { grid } = this.#input.launch;
    const blocks = grid[0] * grid[1] * grid[2];
    const { few, perFew, perMany } = barriers.blocks;
    const waiting = perFew * Math.min(blocks, few) + perMany * Math.max(0, blocks - 2 * this.#input.device.multiprocessors);
    return { block, cluster: block + barriers.cluster, grid: block + barriers.grid + waiting };
  }

  /** A lock passes from one to the next: what they do while they have it comes one after the other. `held`: by block, cycles of its piece. */
  #addLocks(held: ReadonlyMap<number, number>): void {
    for (const { site, isOne, releases } of this.#facts.waiting.locks) {
      const taken = releases.reduce((sum, each) => sum + this.#row(each.site).lanes, 0);
      if (taken === 0) continue;
      const words = isOne ? 1 : Math.min(taken, this.#input.locality?.atomicSpots ?? 1);
      const hold = releases.reduce((sum, each) => sum + (this.#row(each.site).lanes / taken) * (held.get(each.block) ?? 0), 0);
      const { pass, crowd } = this.#input.timings.lock;
      const waiting = Math.min(taken / words, (this.#input.fits.resident * this.#input.device.multiprocessors) / words);
      const cycles = Math.max(0, taken / words - 1) * (hold + pass + crowd * waiting ** 2);
      this.#work.atomicCycles += cycles;
      this.#use('atomics', site, cycles);
    }
  }

  #addFlops({ instructions }: Block): void {
    for (const instruction of instructions) {
      const { precision, flops } = this.#facts.flops[instruction.site] ?? {};
      if (precision && flops) this.#work.flops[precision] += flops * this.#row(instruction.site).lanes;
    }
  }

  /** In which pieces the rounds of a loop are executed: as many as are written out behind each other, then half as many, the last ones singly. */
  #writtenOut(piece: Piece, executions: number): readonly (WrittenOut & { readonly share: number })[] {
    const [head] = piece;
    const { rounds: known, far } = this.#facts.loops;
    const most = piece.length === 1 ? (known.get(head.index) ?? 1) : roundsOfPiece(piece);
    if (most === 1) return [{ ...ONCE, share: 1 }];
    const isFar = piece.length === 1 && far.has(head.index);
    const entries = this.#entriesOf(head, piece);
    const all = entries > 0 ? executions / entries : executions;
    const parts: (WrittenOut & { readonly share: number })[] = [];
    let left = all;
    const least = isFar ? Math.max(2, (most * ROUNDS) / FAR_ROUNDS) : most;
    for (let rounds = most; rounds >= least && rounds >= 2; rounds /= 2) {
      const times = Math.floor(left / rounds + 1e-9);
      if (times === 0) continue;
      parts.push({ rounds, isFar, share: (times * rounds) / all });
      left -= times * rounds;
    }
    if (left > 1e-6) parts.push({ ...ONCE, share: left / all });
    return parts;
  }

  /** How often warps come to a block from elsewhere. */
  #entriesOf({ predecessors }: Block, own: readonly Block[]): number {
    const before = predecessors.filter((each) => !own.some(({ index }) => index === each)).map((each) => this.#fn.blocks[each]);
    return before.reduce((sum, { instructions }) => sum + this.#row(instructions.at(-1)!.site).executions, 0);
  }

  get #facts(): Facts {
    return factsOf(this.#fn, this.#input.module.ir);
  }

  #row(site: number): Row {
    const row = this.#rowOf(site);
    if (!this.#costs[site].image) return row;
    const { requests = 0, sectors = 0 } = this.#localityOf(site) ?? {};
    const globalSectors = requests > 0 ? (row.executions * sectors) / requests : 0;
    return { ...row, globalRequests: row.executions, globalSectors, globalSectorsIdeal: globalSectors };
  }

  #rowOf(site: number): Row {
    const share = this.#counted.get(site) ?? 1;
    const at = site * SITE_FIELDS.length;
    const data = this.#data;
    return {
      executions: share * data[at + FIELD.executions],
      lanes: share * data[at + FIELD.lanes],
      divergent: share * data[at + FIELD.divergent],
      globalRequests: share * data[at + FIELD.globalRequests],
      globalSectors: share * data[at + FIELD.globalSectors],
      globalSectorsIdeal: share * data[at + FIELD.globalSectorsIdeal],
      globalAtomicSectors: share * data[at + FIELD.globalAtomicSectors],
      sharedRequests: share * data[at + FIELD.sharedRequests],
      sharedWavefronts: share * data[at + FIELD.sharedWavefronts],
      sharedWavefrontsIdeal: share * data[at + FIELD.sharedWavefrontsIdeal],
      localRequests: share * data[at + FIELD.localRequests],
      localSectors: share * data[at + FIELD.localSectors],
      slowPaths: share * data[at + FIELD.slowPaths],
    };
  }

  #localityOf(site: number): ReturnType<Locality['sites']['get']> {
    return this.#input.locality?.sites.get(siteKey(this.#fn.name, site));
  }

  #addMemory(site: number): void {
    const { memory } = this.#costs[site];
    if (!memory) return;
    const row = this.#row(site);
    const local = this.#localityOf(site);
    const constantLanes = memory === 'load' ? this.#constantLanes(site) * row.executions : 0;
    const sharedWavefronts = this.#costs[site].spins
      ? this.#spinWavefronts(row)
      : row.sharedWavefronts * (memory === 'load' || memory === 'store' ? 1 : 1.7);
    const l1Lines = this.#linesOf(site) * row.globalRequests + row.localSectors / 4;
    this.#work.constantLanes += constantLanes;
    this.#work.sharedWavefronts += sharedWavefronts;
    this.#work.l1Lines += l1Lines;
    this.#use('constant', site, constantLanes);
    this.#use('shared', site, sharedWavefronts);
    this.#use('l1', site, l1Lines);
    const first = local && local.sectors > 0 ? local.newSectors / local.sectors : 0;
    this.#use('dram', site, row.globalSectors * first);
    const localSectors = this.#facts.inRegisters.has(site) ? 0 : row.localSectors;
    if (memory === 'load') this.#work.localLoadSectors += localSectors;
    else this.#work.localStoreSectors += localSectors;
    if (memory === 'load') {
      const hits = local && local.sectors > 0 ? (row.globalSectors * local.hitSectors) / local.sectors : 0;
      this.#work.loadSectors += row.globalSectors;
      this.#work.l1HitSectors += hits;
      this.#work.l2Lines += ((row.globalSectors - hits) * this.#linesOf(site) * row.globalRequests) / Math.max(1, row.globalSectors);
      this.#use('l2', site, row.globalSectors - hits);
    } else if (memory === 'store') {
      const merged = local && local.sectors > 0 ? local.mergedSectors / local.sectors : 0;
      const sent = row.globalSectors * (1 - merged);
      this.#work.storeSectors += sent;
      this.#work.l2Lines += (1 - merged) * this.#linesOf(site) * row.globalRequests;
      this.#use('l2', site, sent);
      this.#work.wholeStores += row.globalSectorsIdeal;
    } else {
      const { sectors, cycles } = this.#atomics(site, row);
      this.#work.atomicSectors += sectors;
      this.#work.atomicCycles += cycles;
      this.#use('atomics', site, cycles);
    }
  }

  /** Sectors that an atomic sends to L2, and cycles that L2 takes for them. */
  #atomics(site: number, row: Row): { readonly sectors: number; readonly cycles: number } {
    const instruction = this.#instructions[site];
    const { timings } = this.#input;
    const isFloat = instruction.op === 'atomicrmw' && instruction.operation.startsWith('f');
    const { atomicPieces = 1, atomicSpots = 1 } = this.#input.locality ?? {};
    const retry = this.#facts.retries.get(site);
    const contended = retry && this.#contended(retry, row);
    if (contended) return contended;
    const sectors = row.globalAtomicSectors;
    // Of lanes that the compiler combines, one comes to memory.
    const isCombined = functionFacts(this.#fn, this.#input.module.ir).aggregated.has(site);
    const rate = atomicsPerClock(atomicPieces, timings, sectors > 0 && !isCombined ? row.lanes / sectors : 1);
    return { sectors, cycles: sectors / (isFloat ? Math.min(rate, atomicSpots * timings.floatsAtAddressPerClock) : rate) };
  }

  /** A loop of compare-and-swaps with the tries that others spoil. */
  #contended(
    { pointer, entries, looksFirst, settles }: RetryLoop,
    row: Row,
  ): { readonly sectors: number; readonly cycles: number } | undefined {
    const { timings, fits, device, launch, locality } = this.#input;
    const isOne = functionFacts(this.#fn, this.#input.module.ir).uniformity.isUniform(pointer);
    const spots = isOne ? 1 : (locality?.atomicSpots ?? 1);
    const entering = entries.reduce((sum, entry) => sum + this.#row(entry).lanes, 0);
    if (!Number.isFinite(spots) || entering === 0) return undefined;
    const resident = fits.resident * launch.block[0] * launch.block[1] * launch.block[2] * device.multiprocessors;
    const atOnce = Math.min(entering, resident);
    const multiprocessors = Math.min(device.multiprocessors, launch.grid[0] * launch.grid[1] * launch.grid[2]);
    // Different words of one sector are served together.
    const perSector = row.globalAtomicSectors > 0 ? row.lanes / row.globalAtomicSectors : 1;
    const words = spots * (isOne ? 1 : perSector);
    const isSpared = looksFirst || settles;
    const lanes = isSpared ? row.lanes : Math.min(entering, row.lanes);
    const tried = isSpared
      ? Math.max(lanes, words > 1 ? 0 : timings.retries.ofThoseThatLook * atOnce)
      : Math.max(row.lanes, tries({ lanes, atOnce: Math.min(lanes, resident), words, multiprocessors }));
    const sectors = tried / (isOne ? 1 : perSector);
    const rate = Math.min(atomicsPerClock(isOne ? 1 : (locality?.atomicPieces ?? 1), timings), timings.retries.perClock * multiprocessors);
    const cycles = Math.max(sectors / rate, isSpared ? 0 : (lanes / words) * timings.retries.cycles);
    return { sectors, cycles };
  }

  /**
   * Wavefronts for which a shared atomic that spins keeps the multiprocessor's memory busy. Where all lanes of all warps meet at one
   * word, one of them succeeds at a time, and the rounds of the others are spoiled; the fewer meet, the less.
   */
  #spinWavefronts({ executions, sharedRequests }: Row): number {
    if (executions === 0) return 0;
    const { spinCycles, sharedCost } = this.#input.timings;
    return (sharedRequests * spinCycles.contended * Math.sqrt(sharedRequests / executions / 32)) / sharedCost;
  }

  /** Lanes of a load from constant memory that are served one after the other. */
  #constantLanes(site: number): number {
    const row = this.#row(this.#leaderOf(site));
    if (row.executions === 0 || row.globalRequests + row.sharedRequests + row.localRequests > 0) return 0;
    const load = this.#instructions[site];
    if (load.op !== 'load' || this.#facts.roots.spaceOf(load.pointer) !== 4 || this.#isUniform(load)) return 0;
    return row.lanes / row.executions;
  }

  #isUniform(load: Extract<Instruction, { op: 'load' }>): boolean {
    const { pointer } = load;
    return functionFacts(this.#fn, this.#input.module.ir).uniformity.isUniform(pointer);
  }

  get #instructions(): readonly Instruction[] {
    return this.#facts.instructions;
  }

  /** Lines that a request touches. */
  #linesOf(site: number): number {
    const local = this.#localityOf(site);
    const row = this.#row(site);
    if (row.globalRequests === 0) return 0;
    const sectors = row.globalSectors / row.globalRequests;
    return Math.max(1, local && local.sectors > 0 ? (sectors * local.lines) / local.sectors : sectors / 4);
  }

  /**
   * Of the sectors that an instruction does not find in L1, how many L2 does not have either. What the multiprocessors of one wave touch
   * for the first time, about half of them touch at the same time, and wait for it together.
   */
  #dramShare(site: number): number {
    const { locality, coldness, fits } = this.#input;
    const local = this.#localityOf(site);
    // Where no block that is followed comes, each sector is taken to be touched once.
    if (!locality || !local) return locality?.isWhole ? coldness : 0;
    const misses = local.sectors - local.hitSectors;
    const fresh = misses > 0 ? Math.min(1, local.newSectors / misses) : 0;
    const together = Math.max(this.#coldShare, 1 / Math.max(1, fits.waves));
    return (coldness * fresh * (this.#coldShare + together)) / 2;
  }

  /** Of all sectors that L1 does not have, those that are the first of the grid. */
  get #coldShare(): number {
    this.#cold ??= this.#coldShareOf(this.#input.locality?.readSectors ?? 0);
    return this.#cold;
  }

  #coldShareOf(readSectors: number): number {
    let misses = 0;
    for (const { instructions } of this.#fn.blocks) {
      for (const { site } of instructions) {
        const local = this.#localityOf(site);
        if (this.#costs[site].memory !== 'load' || !local || local.sectors === 0) continue;
        misses += this.#row(site).globalSectors * (1 - local.hitSectors / local.sectors);
      }
    }
    return misses > 0 ? Math.min(1, readSectors / misses) : 0;
  }

  #leaderOf(site: number): number {
    return functionFacts(this.#fn, this.#input.module.ir).merged.get(site)?.leader ?? site;
  }

  #latencyOf({ site }: Instruction): number {
    const { latency } = this.#input.timings;
    const leader = this.#leaderOf(site);
    const row = this.#row(leader);
    const { memory } = this.#costs[site];
    if (row.executions === 0) return latency.l1;
    const requests = row.globalRequests + row.sharedRequests + row.localRequests;
    // Constants and parameters: usually in the constant cache, and often part of the instruction.
    if (requests === 0) return latency.alu + 2 * this.#constantLanes(leader);
    const local = this.#localityOf(leader);
    const known = local && local.requests > 0 ? local.hitRequests / local.requests : this.#facts.reuse[leader];
    const hit = memory === 'load' ? known : 0;
    const dramShare = this.#dramShare(leader);
    const far = memory === 'load' ? dramShare * latency.dram + (1 - dramShare) * latency.l2 : latency.l2 * 1.3;
    const ahead = this.#isAsync(site) ? 1 / this.#roundsAt(site) : 1;
    const global = ahead * hit * latency.l1 + ahead * (1 - hit) * far + this.#input.timings.lineCycles * (this.#linesOf(leader) - 1);
    const { spinCycles } = this.#input.timings;
    const conflicts = row.sharedRequests > 0 ? (row.sharedWavefronts - row.sharedWavefrontsIdeal) / row.sharedRequests : 0;
    const shared = this.#costs[site].spins ? (spinCycles.alone * requests) / row.executions : latency.shared + 2 * conflicts;
    return (row.globalRequests * global + row.sharedRequests * shared + row.localRequests * latency.l1) / requests;
  }

  /** Copies of a loop are under way together: their warp waits for them once. */
  #isAsync(site: number): boolean {
    const instruction = this.#instructions[site];
    return instruction.op === 'load' && instruction.async === true;
  }

  /** How often the innermost loop around an instruction goes round for each time that a warp comes to it. */
  #roundsAt(site: number): number {
    const { blockOf, flow } = this.#facts;
    const loop = flow.loops[flow.innermost[blockOf[site]]];
    if (!loop) return 1;
    const ended = (block: number): number => this.#row(this.#fn.blocks[block].instructions.at(-1)!.site).executions;
    const before = this.#fn.blocks[loop.header].predecessors.filter((block) => !loop.blocks.includes(block));
    const entries = before.reduce((sum, block) => sum + ended(block), 0);
    return entries > 0 ? Math.max(1, this.#row(site).executions / entries) : 1;
  }

  /** Of the loads that may be under way, as how many one counts without its address. */
  #holds({ site }: Instruction): number {
    const row = this.#row(site);
    if (row.globalRequests === 0) return 0;
    const group = functionFacts(this.#fn, this.#input.module.ir).merged.get(site);
    const load = this.#instructions[site];
    const bytes = group ? group.bytes : 'type' in load ? sizeOf(load.type) : 4;
    return Math.max(1, (bytes / 4) * this.#input.timings.loadsAhead.perWord);
  }

  #spacingOf(site: number): number {
    const leader = this.#leaderOf(site);
    const local = this.#localityOf(leader);
    const hit = local && local.requests > 0 ? local.hitRequests / local.requests : 0;
    const { l2, dram } = this.#input.timings.spacing;
    const row = this.#row(leader);
    const lines = row.globalRequests > 0 ? row.globalSectors / row.globalRequests / 4 : 1;
    return (1 - hit) * (l2 + Math.min(1, lines) * this.#dramShare(leader) * (dram - l2));
  }

  /** Of branches and of instructions with branches inside. */
  #detourOf({ op, site }: Instruction): number {
    const { executions, divergent, slowPaths } = this.#row(site);
    if (executions === 0) return 0;
    const { parting } = this.#input.timings;
    const { slow } = this.#costs[site];
    return (
      ((op === 'condbr' || op === 'switch' ? parting.branch : parting.inside) * divergent + (slow ? slow.cycles * slowPaths : 0)) /
      executions
    );
  }

  #busyOf({ site }: Instruction): number {
    const row = this.#row(site);
    if (row.executions === 0) return 0;
    const lines = this.#linesOf(site) * row.globalRequests + row.localSectors / 4;
    const { lineCycles } = this.#input.timings;
    return Math.max(0, (lineCycles * (lines - row.globalRequests) + row.globalRequests + 2 * row.sharedWavefronts) / row.executions - 1);
  }
}

/**
 * Pieces of memory go to slices of L2 by a hash: a few dozen do not use all of them, and some slices have several. `words`: of a sector that
 * come at once.
 */
function atomicsPerClock(pieces: number, timings: Timings, words = 1): number {
  const { integersAtAddressPerClock, wholeSectorsPerClock, atomicsPerClock: most, atomicSpread } = timings;
  const whole = Math.min(1, Math.max(0, words - 1) / 7);
  const each = integersAtAddressPerClock + whole * (wholeSectorsPerClock - integersAtAddressPerClock);
  return ((pieces * each) ** -atomicSpread + most ** -atomicSpread) ** (-1 / atomicSpread);
}
