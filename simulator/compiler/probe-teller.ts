/** Tells a launch's probes when compiled code says so (probe-emitter.ts). */
import { popcount } from '../ir/math/bits.ts';
import { LEDGER, LEDGER_BLOCK, LEDGER_WARP } from '../scheduling/ledger.ts';
import type { LanePattern, LedgerRow, ProbePoint, Settled } from '../scheduling/probes.ts';
import { baseOf, type ProbedLanes, type Reporter } from '../scheduling/reporter.ts';
import type { BlockRunner } from './block-runner.ts';
import type { EmittedProbe, ProbeOperand } from './kernel-context.ts';
import { FRAME, INFO, PROBE_MEMO } from './layout.ts';
import { STATUS } from './scheduler.ts';

/** What compiled code calls. */
export interface ProbeCalls {
  probe(frame: number, mask: number, number: number): void;
  known(frame: number, mask: number, memo: number, first: number): void;
  same(frame: number, mask: number, number: number, address: number): void;
  whole(frame: number, number: number): void;
  opened(): void;
}

/** A pattern is remembered at once the first times, and then seldom: some sites never repeat one. */
const EAGER_MISSES = 32;
const SELDOM = 32;

interface Told {
  readonly probe: EmittedProbe;
  readonly point: ProbePoint;
  readonly base: number;
  /** How the lanes lie, by memo; the last is for lanes that all lie in one place. */
  readonly patterns: (LanePattern | undefined)[];
  readonly misses: Int32Array;
  /** By frame: views of memory cost more than what is done with them. */
  readonly lanes: Map<number, ProbedLanes>;
}

export class ProbeTeller implements ProbeCalls {
  readonly #runner: BlockRunner;
  readonly #reporter: Reporter;
  readonly #told: readonly Told[];
  readonly #arrivals: { block: number; warp: number; mask: number }[] = [];
  #buffer: ArrayBufferLike;
  // Of the event under way, for `#source`.
  #now: Told;
  #frame = 0;
  readonly #source = (): ProbedLanes => this.#lanes();

  constructor(runner: BlockRunner, reporter: Reporter, probes: readonly EmittedProbe[]) {
    this.#runner = runner;
    this.#reporter = reporter;
    this.#buffer = runner.words.buffer;
    this.#told = probes.map((probe) => ({
      probe,
      point: probe.point,
      base: probe.point.access && probe.point.operand ? baseOf(probe.point.operand) : 0,
      patterns: [],
      misses: new Int32Array(PROBE_MEMO.count),
      lanes: new Map(),
    }));
    [this.#now] = this.#told;
    runner.words[(runner.base + INFO.ledger) >> 2] = reporter.probes.ledger ?? 0;
  }

  readonly probe = (frame: number, mask: number, number: number): void => {
    const told = this.#begin(frame, mask, number);
    if (told.point.probe !== 'branch' && told.point.probe !== 'flow') this.#act();
    if (told.probe.memos !== undefined) {
      if (told.point.probe === 'access') this.#learn(told, mask);
      const { operand } = this.#lanes();
      this.#reporter.event.first = (operand![31 - Math.clz32(mask & -mask)] + told.base) >>> 0;
      const settled = this.#access(told);
      if (settled) this.#settle(told, { which: 0, first: 0, settled });
      return;
    }
    if (told.point.probe === 'barrier' && !told.point.operand) {
      this.#barrier(told.point);
      return;
    }
    const { alive, block, function: name, instruction, memory, warp } = this.#reporter.event;
    this.#reporter.tell(told.point, { block, warp, mask, alive, function: name, instruction, memory: memory! }, this.#lanes());
  };

  readonly known = (frame: number, mask: number, memo: number, first: number): void => {
    const number = Math.trunc(memo / PROBE_MEMO.count);
    const told = this.#begin(frame, mask, number);
    const { event } = this.#reporter;
    const which = memo - number * PROBE_MEMO.count;
    event.pattern = told.patterns[which];
    event.first = (first + told.base) >>> 0;
    if (told.point.access !== 'read') this.#act();
    const settled = this.#access(told);
    if (settled) this.#settle(told, { which, first, settled });
  };

  readonly same = (frame: number, mask: number, number: number, address: number): void => {
    const told = this.#begin(frame, mask, number);
    const { event } = this.#reporter;
    let pattern = told.patterns[0];
    if (pattern?.mask !== mask) {
      pattern = { mask, offsets: new Int32Array(32), kept: undefined };
      told.patterns[0] = pattern;
    }
    event.pattern = pattern;
    event.first = (address + told.base) >>> 0;
    if (told.point.access !== 'read') this.#act();
    this.#access(told);
  };

  readonly whole = (frame: number, number: number): void => {
    const told = this.#begin(frame, -1, number);
    this.#act();
    const { event, probes } = this.#reporter;
    event.whole = true;
    event.scope = 'warp';
    if (told.point.probe === 'barrier') probes.barrier!(event);
    else probes.exchange!(event);
  };

  /** The barrier of the block opens for the warps that wait at it. */
  readonly opened = (): void => {
    this.#act();
    this.#tellArrivals();
    const { words, block, warps } = this.#runner;
    const arrivals = this.#arrivals;
    let count = 0;
    for (let warp = 0; warp < warps; warp++) {
      const frame = this.#runner.frame(warp);
      if (words[(frame + FRAME.status) >> 2] !== STATUS.waiting) continue;
      const mask = words[(frame + FRAME.mask) >> 2];
      if (count === arrivals.length) arrivals.push({ block, warp, mask });
      else {
        const arrival = arrivals[count];
        arrival.block = block;
        arrival.warp = warp;
        arrival.mask = mask;
      }
      count++;
    }
    arrivals.length = count;
    this.#reporter.meeting('block', arrivals);
  };

  /** Warps have come to a barrier, and compiled code has noted it without telling. */
  #tellArrivals(): void {
    const { words, warps } = this.#runner;
    const { ledger = 0 } = this.#reporter.probes;
    const block = ledger === 0 ? 0 : words[(ledger + LEDGER.block) >> 2];
    if (block === 0) return;
    for (let warp = 0; warp < warps; warp++) {
      const place = (block + LEDGER_BLOCK.warps + warp * LEDGER_WARP.bytes + LEDGER_WARP.arrived) >> 2;
      const number = words[place] - 1;
      if (number < 0) continue;
      words[place] = 0;
      const frame = this.#runner.frame(warp);
      this.probe(frame, words[(frame + FRAME.mask) >> 2], number);
    }
  }

  #begin(frame: number, mask: number, number: number): Told {
    const { event } = this.#reporter;
    const runner = this.#runner;
    const { words } = runner;
    const told = this.#told[number];
    this.#now = told;
    this.#frame = frame;
    event.renew();
    event.block = runner.block;
    event.warp = words[(frame + FRAME.warp) >> 2];
    event.mask = mask;
    event.alive = words[(frame + FRAME.live) >> 2];
    event.function = told.probe.function;
    event.instruction = told.probe.instruction;
    event.memory = runner;
    event.source = this.#source;
    event.whole = false;
    event.pattern = undefined;
    event.base = told.base;
    return told;
  }

  /** Something happens behind which a repeated read may be news. */
  #act(): void {
    const { words, base } = this.#runner;
    words[(base + INFO.acts) >> 2]++;
  }

  #access({ point }: Told): Settled | undefined {
    const { event, probes } = this.#reporter;
    event.access = point.access!;
    event.bytes = point.bytes!;
    event.lengths = undefined;
    return (point.probe === 'access' ? probes.access!(event) : probes.atomic!(event)) ?? undefined;
  }

  /** Leaves for compiled code which reads need not be told. */
  #settle({ probe, base }: Told, { which, first, settled }: { which: number; first: number; settled: Settled }): void {
    const { words } = this.#runner;
    const memo = (this.#runner.base + probe.memos! + which * PROBE_MEMO.bytes) >> 2;
    if (settled.kind === 'row') this.#leaveRow(memo, base, settled.row);
    else if (settled.kind === 'range') {
      const { from, to, low, high } = settled;
      words[memo + (PROBE_MEMO.rangeFrom >> 2)] = from - low - base;
      words[memo + (PROBE_MEMO.rangeSize >> 2)] = Math.max(0, to - high - (from - low) + 1);
    } else if (!this.#runner.kernel.pathByPath) {
      // The scheduler of paths tells of meetings by itself.
      words[memo + (PROBE_MEMO.repeated >> 2)] = first;
      words[memo + (PROBE_MEMO.acts >> 2)] = words[(this.#runner.base + INFO.acts) >> 2];
      [words[memo + (PROBE_MEMO.exceptWarp >> 2)], words[memo + (PROBE_MEMO.exceptOther >> 2)]] = settled.exceptWarps;
    }
  }

  /** Leaves for compiled code what it needs to check accesses that lie so; `memo` counts words. */
  #leaveRow(memo: number, base: number, { words: at, firstLanes, lastLanes, site, slot, used, low, high }: LedgerRow): void {
    if (this.#runner.kernel.pathByPath || at.length > PROBE_MEMO.mostRowWords) return;
    const { words } = this.#runner;
    const set = (offset: number, value: number): void => {
      words[memo + (offset >> 2)] = value;
    };
    set(PROBE_MEMO.rowWords, at.length);
    set(PROBE_MEMO.site, site);
    set(PROBE_MEMO.slot, LEDGER_WARP.events + 4 * slot);
    set(PROBE_MEMO.base, base);
    set(PROBE_MEMO.low, low);
    set(PROBE_MEMO.high, high);
    set(PROBE_MEMO.used, Number(used));
    at.forEach((word, k) => {
      set(PROBE_MEMO.rows + 4 * k, (word << 10) | (firstLanes[k] << 5) | lastLanes[k]);
    });
    set(PROBE_MEMO.distinct, Number(at.every((_, k) => firstLanes[k] === lastLanes[k])));
    const isContiguous = at.length > 0 && at.length % 4 === 0 && at.every((word, k) => word === k);
    set(PROBE_MEMO.row, isContiguous ? PROBE_MEMO.contiguous : PROBE_MEMO.anyRow);
  }

  /** Lanes come to a barrier of the block or the grid. */
  #barrier({ scope }: ProbePoint): void {
    const { event, probes } = this.#reporter;
    event.scope = scope!;
    event.namesThere = true;
    probes.barrier!(event);
  }

  /** Remembers how the lanes lie. */
  #learn({ probe, patterns, misses }: Told, mask: number): void {
    const which = Math.clz32(popcount(mask)) - PROBE_MEMO.leastClz;
    if (++misses[which] > EAGER_MISSES && misses[which] % SELDOM !== 0) return;
    const { operand } = this.#lanes();
    const first = operand![31 - Math.clz32(mask & -mask)];
    const offsets = operand!.map((address, lane) => ((mask >>> lane) & 1 ? address - first : 0));
    patterns[which] = { mask, offsets, kept: undefined };
    const { words, base } = this.#runner;
    const memo = (base + probe.memos! + which * PROBE_MEMO.bytes) >> 2;
    words.fill(0, memo, memo + (PROBE_MEMO.offsets >> 2));
    words[memo + (PROBE_MEMO.mask >> 2)] = mask;
    words.set(offsets, memo + (PROBE_MEMO.offsets >> 2));
  }

  /** Where the operands of the probe lie in the frame of the warp that has called. */
  #lanes(): ProbedLanes {
    const { words } = this.#runner;
    if (this.#buffer !== words.buffer) {
      this.#buffer = words.buffer;
      for (const { lanes } of this.#told) lanes.clear();
    }
    let known = this.#now.lanes.get(this.#frame);
    if (!known) {
      const { operand, length, more } = this.#now.probe;
      known = { operand: operand && this.#view(operand), length: length && this.#view(length), more: more.map((each) => this.#view(each)) };
      this.#now.lanes.set(this.#frame, known);
    }
    return known;
  }

  #view(operand: ProbeOperand): Int32Array {
    const size = operand.wide ? 64 : 32;
    if ('bits' in operand) {
      const [low, high] = [operand.bits, operand.bits >> 32n].map((bits) => Number(BigInt.asIntN(32, bits)));
      return Int32Array.from({ length: size }, (_, word) => (operand.wide && word & 1 ? high : low));
    }
    const at = (this.#frame + operand.slot) >> 2;
    return this.#runner.words.subarray(at, at + size);
  }
}
