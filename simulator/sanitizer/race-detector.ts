/**
 * Accesses of one launch against the shadow: races by happens-before, and reads of what nothing has written. It is told of each access
 * before it happens, in the one order in which the simulator executes them, and finds what any other order could do to these accesses.
 */
import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { meaningOf } from '../ir/intrinsics.ts';
import type { Instruction } from '../ir/types.ts';
import type { AccessEvent, FlowEvent, Settled, WarpEvent } from '../scheduling/probes.ts';
import type { WarpClock } from './block-clocks.ts';
import type { LaunchClock } from './clocks.ts';
import { type EventTable, LONG_AGO, NEVER } from './event-table.ts';
import type { FollowedValues } from './followed-values.ts';
import { type Link, narrower, releaseOf, SyncVariable } from './knowledge.ts';
import { PendingCopies, warpOf } from './pending-copies.ts';
import { RowChecks } from './row-checks.ts';
import type { ShadowPage, SplitWords } from './shadow.ts';
import { agree, type Site, type Sites } from './sites.ts';
import { storesTheSame } from './stored-values.ts';
import { UnwrittenBytes, type UnwrittenParts } from './unwritten-bytes.ts';
import type { WrittenRange } from './written-memory.ts';

/** Two accesses that nothing orders: of the cell `before`, which came first here, and of a lane now. */
export interface Conflict {
  readonly before: number;
  readonly earlier: Site;
  readonly site: Site;
  readonly warp: WarpClock;
  readonly lane: number;
  readonly address: number;
}

export interface RaceReports {
  race(conflict: Conflict): void;
  uninitialised(site: Site, warp: WarpClock, lane: number, address: number): void;
}

export interface DetectorParts extends UnwrittenParts {
  readonly events: EventTable;
  readonly sites: Sites;
  /** Bytes of global memory as they are now. */
  readonly memory: Uint8Array;
  /** Of words that threads synchronise by, in global memory. */
  readonly variables: Map<number, SyncVariable>;
  readonly reports: RaceReports;
  /** Whether the access of a cell of an earlier launch comes before this one. undefined if all do. */
  readonly isBefore?: (cell: number) => boolean;
  /** What of global memory the launch can write to; undefined if that is not known. */
  readonly written?: readonly WrittenRange[];
  readonly followed: FollowedValues;
  /** A thread that has released nothing has made a volatile write; undefined if the host sees none. */
  readonly unfenced?: (event: number) => void;
  /** Stores of the same value race nonetheless. */
  readonly equalValues: boolean;
}

export class RaceDetector {
  readonly #parts: DetectorParts;
  readonly #clock: LaunchClock;
  readonly #events: EventTable;
  readonly #split: SplitWords;
  readonly #rows: RowChecks;
  readonly #unwritten: UnwrittenBytes;
  readonly #copies: PendingCopies;
  // Of the access under way: what the loops over lanes and words need at hand.
  #warp!: WarpClock;
  #site!: Site;
  #event: AccessEvent | undefined;
  #id = 0;
  #floor = 0;
  #lane = 0;
  #address = 0;
  /** What the access reads and nothing has written is reported. */
  #reportsUnwritten = false;
  /** Bytes of the place in the shadow. */
  #width = 4;
  /** The bytes of a split word are accessed as one place: what it conflicts with is reported once. */
  #inParts = false;
  #reported = NEVER;
  // Addresses of its lanes.
  #lowest = 0;
  #highest = 0;

  constructor(parts: DetectorParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.#events = parts.events;
    this.#split = parts.global.split;
    this.#rows = new RowChecks(parts);
    this.#unwritten = new UnwrittenBytes(parts);
    this.#copies = new PendingCopies(parts.clock, parts.events, parts.global.split);
  }

  access(event: AccessEvent): Settled | undefined {
    const done = this.#rows.access(event);
    if (done === false) this.#accessByLane(event);
    if (event.access === 'write' && !this.#unwritten.carriesNothing) this.#leaveCopies(event);
    return typeof done === 'object' ? done : undefined;
  }

  #leaveCopies(event: AccessEvent): void {
    const site = this.#parts.sites.of(event.instruction, 'write', event.function);
    this.#unwritten.write(event, site, this.#clock.block(event.block).warps[event.warp]);
  }

  #accessByLane(event: AccessEvent): void {
    const site = this.#parts.sites.of(event.instruction, event.access, event.function);
    if (site.strength === 'ahead') return;
    const warp = this.#begin(event, site);
    this.#event = event;
    const isFollowed = site.access === 'read' && this.#parts.followed.follows(event.instruction, event.function);
    this.#reportsUnwritten = site.used && !isFollowed;
    if (isFollowed) this.#follow(event, warp);
    if (site.copies && !this.#reportsUnwritten) this.#unwritten.read(event, warp);
    if (event.first >= LOCAL_BASE && event.first < SHARED_BASE) {
      this.#local(event, warp);
      return;
    }
    if (site.releases) this.#release(warp, event.mask, site.scope);
    const { addresses, lengths, bytes } = event;
    let { mask } = event;
    if (site.access === 'read' && site.strength === 'plain' && lengths === undefined) {
      this.#measure(addresses, mask);
      if (this.#isOnlyRead(bytes)) {
        if (this.#reportsUnwritten) this.#checkWritten(addresses, mask, bytes);
        return;
      }
      // Of lanes that read one place the first and the last stand for all.
      if (this.#lowest === this.#highest) mask = (mask & -mask) | (1 << (31 - Math.clz32(mask)));
    }
    this.#id = site.isAsync ? this.#copies.begin(warp, site, event) : this.#clock.eventOf(warp, site);
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const address = addresses[lane];
      this.#lane = lane;
      if (site.strength === 'volatile') this.#flag();
      if (site.access === 'read' && site.strength !== 'plain') this.#observe(address);
      this.#range(address, lengths ? lengths[lane] : bytes);
    }
    if (site.isAsync) this.#copies.begun(warp);
    if (site.acquires) warp.acquire(event.mask, site.scope);
    this.#event = undefined;
  }

  /** A write that the host may wait for says of nothing before it unless a fence does. */
  #flag(): void {
    const { unfenced } = this.#parts;
    if (!unfenced || this.#site.access !== 'write') return;
    if (this.#clock.releasesBefore(this.#warp.number, this.#lane, Number.POSITIVE_INFINITY).length === 0) unfenced(this.#id);
  }

  /** What lanes read where nothing was written is reported when they use it. */
  #follow(event: AccessEvent, warp: WarpClock): void {
    this.#unwritten.each(event, warp, (lane, address) => {
      this.#parts.followed.read(event.instruction, event.function, warp, lane, address);
    });
  }

  /** Lanes come to where what becomes of values hangs on. */
  flow(event: FlowEvent): void {
    this.#parts.followed.flow(event, this.#clock.block(event.block).warps[event.warp]);
  }

  /** Lanes access their own memory. */
  #local(event: AccessEvent, warp: WarpClock): void {
    if (event.access !== 'read') this.#unwritten.writeLocal(event, warp);
    else if (this.#reportsUnwritten) {
      this.#unwritten.each(event, warp, (lane, address) => {
        this.#lane = lane;
        this.#address = address;
        this.#uninitialised();
      });
    }
    this.#event = undefined;
  }

  #measure(addresses: Uint32Array, mask: number): void {
    let lowest = 0xffffffff;
    let highest = 0;
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const address = addresses[lane];
      if (address < lowest) lowest = address;
      if (address > highest) highest = address;
    }
    this.#lowest = lowest;
    this.#highest = highest;
  }

  /** Nobody writes in this launch where the lanes read. */
  #isOnlyRead(bytes: number): boolean {
    const { written } = this.#parts;
    if (written === undefined || this.#highest >= LOCAL_BASE) return false;
    for (const { start, end } of written) if (this.#lowest < end && this.#highest + bytes > start) return false;
    return true;
  }

  #checkWritten(addresses: Uint32Array, mask: number, bytes: number): void {
    const { global } = this.#parts;
    let last = -1;
    let page: ShadowPage | undefined;
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const address = addresses[lane];
      if (page === undefined || address >>> 16 !== last) {
        last = address >>> 16;
        page = global.page(address);
      }
      const word = (address & 0xffff) >>> 2;
      let k = 0;
      if ((address & 3) === 0) while (k + 4 <= bytes && page.cells[word + (k >>> 2)] > NEVER) k += 4;
      while (k < bytes && global.isWritten(address + k)) k++;
      if (k < bytes) {
        this.#lane = lane;
        this.#address = address + k;
        this.#uninitialised();
      }
      if (this.#lowest === this.#highest) return;
    }
  }

  /** A read-modify-write of each lane, one after the other. */
  atomic(event: AccessEvent): Settled | undefined {
    const site = this.#parts.sites.of(event.instruction, 'atomic', event.function);
    const done = this.#rows.atomic(event, site);
    if (done !== false) return done === true ? undefined : done;
    this.#atomicByLane(event, site);
    return undefined;
  }

  #atomicByLane(event: AccessEvent, site: Site): void {
    const warp = this.#begin(event, site);
    this.#reportsUnwritten = site.used;
    if (site.releases) this.#release(warp, event.mask, site.scope);
    this.#id = this.#clock.eventOf(warp, site);
    for (let rest = event.mask; rest !== 0; rest &= rest - 1) {
      this.#lane = 31 - Math.clz32(rest & -rest);
      const address = event.addresses[this.#lane];
      const variable = this.#clock.releases ? this.#modify(address) : undefined;
      this.#range(address, event.bytes);
      if (variable) variable.cell = (this.#id << 5) | this.#lane;
    }
    if (site.acquires) warp.acquire(event.mask, site.scope);
  }

  fence({ instruction, block, warp, mask }: WarpEvent): void {
    if (instruction.op === 'call') this.#orderCopies(instruction, this.#clock.block(block).warps[warp], mask);
    if (instruction.op !== 'fence' || instruction.order.ordering === 'monotonic') return;
    const clock = this.#clock.block(block).warps[warp];
    clock.acquire(mask, instruction.order.scope);
    this.#release(clock, mask, instruction.order.scope);
  }

  #orderCopies(call: Extract<Instruction, { op: 'call' }>, warp: WarpClock, mask: number): void {
    const meaning = meaningOf(call);
    if (meaning?.kind !== 'nothing') return;
    const [allBut] = call.args;
    if (meaning.copies === 'commit') this.#copies.commit(warp, mask);
    else this.#copies.wait(warp, mask, allBut?.kind === 'int' ? Number(allBut.value) : undefined);
  }

  endBlock(block: number): void {
    this.#copies.endBlock(this.#clock.block(block));
  }

  #begin({ block, warp }: WarpEvent, site: Site): WarpClock {
    const clock = this.#clock.block(block).warps[warp];
    this.#warp = clock;
    this.#site = site;
    this.#floor = this.#clock.floor;
    return clock;
  }

  #release(warp: WarpClock, mask: number, scope: Site['scope']): void {
    this.#clock.release(warp, mask, scope);
  }

  #range(address: number, bytes: number): void {
    this.#address = address;
    if (address >= SHARED_BASE) {
      const { shared, offset } = this.#clock.sharedAt(this.#warp.block, address);
      // What lies outside faults by itself.
      if (offset + bytes <= 4 * shared.words) this.#words(shared, offset, bytes);
    } else if (address < LOCAL_BASE) {
      if ((address & 0xffff) + bytes <= 0x10000) this.#words(this.#parts.global.page(address), address & 0xffff, bytes);
      else this.#pages(address, bytes);
    }
  }

  #pages(address: number, bytes: number): void {
    for (let at = address, end = address + bytes; at < end && at < LOCAL_BASE; ) {
      const next = Math.min(end, (at | 0xffff) + 1);
      this.#words(this.#parts.global.page(at), at & 0xffff, next - at);
      at = next;
    }
  }

  #words(page: ShadowPage, offset: number, bytes: number): void {
    if ((offset & 3) === 0 && bytes === 4) {
      this.#word(page, offset >>> 2);
      return;
    }
    const start = this.#address - offset;
    const end = offset + bytes;
    for (let at = offset; at < end; ) {
      this.#address = start + at;
      if ((at & 3) === 0 && end - at >= 4) {
        this.#word(page, at >>> 2);
        at += 4;
      } else {
        this.#byte(page, at);
        at++;
      }
    }
  }

  #word(page: ShadowPage, word: number): void {
    const { cells, words } = page;
    if (cells[word] < 0) {
      const at = ~cells[word];
      this.#inParts = true;
      for (let byte = 0; byte < 4; byte++) this.#cell(this.#split.cells, at + byte, 4);
      this.#inParts = false;
      this.#reported = NEVER;
      return;
    }
    this.#cell(cells, word, words);
  }

  #byte(page: ShadowPage, offset: number): void {
    const word = offset >>> 2;
    const cell = page.cells[word];
    const at = cell < 0 ? ~cell : this.#split.split(page, word);
    this.#width = 1;
    this.#cell(this.#split.cells, at + (offset & 3), 4);
    this.#width = 4;
  }

  #cell(cells: Int32Array, at: number, stride: number): void {
    if (this.#site.access === 'read') this.#read(cells, at, stride);
    else this.#write(cells, at, stride);
  }

  #read(cells: Int32Array, at: number, stride: number): void {
    const written = cells[at];
    if (written >>> 5 > this.#floor) {
      if (!this.#isOrdered(written)) this.#conflict(written);
    } else if (written === NEVER) this.#uninitialised();
    const own = (this.#id << 5) | this.#lane;
    const first = cells[at + stride];
    if (first === own) return;
    if (first >>> 5 <= this.#floor || this.#isOrdered(first)) {
      cells[at + stride] = own;
      return;
    }
    const second = cells[at + 2 * stride];
    if (second >>> 5 <= this.#floor || this.#isOrdered(second) || this.#isFarther(first, second)) cells[at + 2 * stride] = own;
  }

  /** Whether the two reads that are kept are farther apart with this one instead of the second: a write is then ordered behind both less easily. */
  #isFarther(first: number, second: number): boolean {
    const { warps } = this.#events;
    const a = warps[first >>> 5];
    const b = warps[second >>> 5];
    const now = this.#warp.number;
    // The newer read of the same warp.
    if (b === now) return true;
    if (a === now) return false;
    const perBlock = this.#clock.warpsPerBlock;
    const distance = (x: number, y: number): number => (x === y ? 0 : Math.floor(x / perBlock) === Math.floor(y / perBlock) ? 1 : 2);
    return distance(a, now) > distance(a, b);
  }

  #write(cells: Int32Array, at: number, stride: number): void {
    const written = cells[at];
    if (written === NEVER && this.#site.access === 'atomic') this.#uninitialised();
    if (written >>> 5 > this.#floor && !this.#isOrdered(written)) this.#conflict(written);
    const first = cells[at + stride];
    if (first >>> 5 > this.#floor && !this.#isOrdered(first)) this.#conflict(first);
    const second = cells[at + 2 * stride];
    if (second >>> 5 > this.#floor && !this.#isOrdered(second)) this.#conflict(second);
    if (this.#site.access === 'atomic') this.#keepPlain(cells, at, stride);
    else {
      if (first !== NEVER) cells[at + stride] = NEVER;
      if (second !== NEVER) cells[at + 2 * stride] = NEVER;
    }
    cells[at] = (this.#id << 5) | this.#lane;
  }

  /** Other atomics do not race with an atomic, but with the plain access before it: reads stay, and a write takes a place among them. */
  #keepPlain(cells: Int32Array, at: number, stride: number): void {
    const written = cells[at];
    if (written >>> 5 <= this.#floor || this.#siteOf(written).strength === 'atomic') return;
    const free = cells[at + stride] >>> 5 <= this.#floor ? at + stride : at + 2 * stride;
    cells[free] = written;
  }

  #siteOf(cell: number): Site {
    return this.#parts.sites.all[this.#events.sites[cell >>> 5] - 1];
  }

  /** Whether the access of a cell comes before that of the lane now. */
  #isOrdered(cell: number): boolean {
    const event = cell >>> 5;
    const warp = this.#warp;
    const other = this.#events.warps[event];
    const lane = this.#lane;
    if (event <= this.#clock.start) return event <= this.#floor || (this.#parts.isBefore?.(cell) ?? false);
    if (event <= this.#clock.met) return true;
    // A copy for which nobody has waited.
    if (other < 0) return false;
    if (other === warp.number) {
      if ((cell & 31) === lane || event <= warp.all || event <= warp.block.all) return true;
      if (warp.lanes !== undefined && event <= warp.lanes[lane * 32 + (cell & 31)]) return true;
    } else {
      const perBlock = this.#clock.warpsPerBlock;
      if (event <= warp.block.ofCluster && this.#clock.clusterAt(warp.block.number).includes(Math.floor(other / perBlock))) return true;
      const index = other - warp.block.number * perBlock;
      if (index >= 0 && index < perBlock) {
        if (event <= warp.block.all) return true;
        const { between } = warp.block;
        if (between !== undefined && event <= between[warp.index * perBlock + index]) return true;
      }
    }
    if (!this.#clock.releases) return false;
    return this.#clock.linksKnow(warp, lane, cell, { pendingToo: this.#site.strength !== 'plain', anyScope: false });
  }

  #uninitialised(): void {
    if (this.#reportsUnwritten) this.#parts.reports.uninitialised(this.#site, this.#warp, this.#lane, this.#address);
  }

  #conflict(before: number): void {
    const earlier = this.#siteOf(before);
    const site = this.#site;
    const isEarlier = before >>> 5 <= this.#clock.start;
    const sameBlock =
      !isEarlier && Math.floor(warpOf(this.#events.warps[before >>> 5]) / this.#clock.warpsPerBlock) === this.#warp.block.number;
    if (agree(earlier, site, sameBlock)) return;
    if (!this.#parts.equalValues && site.access === 'write' && earlier.access === 'write' && this.#storesTheSame(before)) return;
    if (before === this.#reported) return;
    if (this.#inParts) this.#reported = before;
    this.#parts.reports.race({ before, earlier, site, warp: this.#warp, lane: this.#lane, address: this.#address });
  }

  #storesTheSame(before: number): boolean {
    const event = this.#event;
    if (!event) return false;
    const other = before >>> 5 === this.#id ? before & 31 : undefined;
    return storesTheSame({ event, lane: this.#lane, address: this.#address, bytes: this.#width, other, memory: this.#parts.memory });
  }

  #variables(): Map<number, SyncVariable> {
    return this.#address >= SHARED_BASE ? this.#warp.block.variables : this.#parts.variables;
  }

  /** The cell of the last write at an address. */
  #writtenAt(address: number): number {
    if (address >= SHARED_BASE) {
      const { shared, offset } = this.#clock.sharedAt(this.#warp.block, address);
      return this.#lastWrite(shared, offset);
    }
    return address < LOCAL_BASE ? this.#lastWrite(this.#parts.global.page(address), address & 0xffff) : LONG_AGO;
  }

  #lastWrite({ cells, words }: ShadowPage, offset: number): number {
    if (offset >>> 2 >= words) return LONG_AGO;
    const cell = cells[offset >>> 2];
    return cell < 0 ? this.#split.cells[~cell + (offset & 3)] : cell;
  }

  /** What came before the launch publishes nothing in it. */
  #isOld(written: number): boolean {
    const event = written >>> 5;
    return event <= this.#floor || event <= this.#clock.start;
  }

  /** A read that may see what another thread has published: it knows then what that thread knew. */
  #observe(address: number): void {
    if (!this.#clock.releases) return;
    this.#address = address;
    const written = this.#writtenAt(address);
    if (this.#isOld(written)) return;
    const variable = this.#variables().get(address);
    if (variable && variable.cell === written) this.#link(variable, variable.until);
    else this.#linkToWriter(written);
  }

  #link(source: Link['source'], until: number): void {
    const { block } = this.#warp;
    this.#warp.link(this.#lane, { source, until, block: block.number, scope: this.#site.scope, pending: !this.#site.acquires });
  }

  #linkToWriter(written: number): void {
    for (const node of this.#releasesOf(written))
      this.#link(releaseOf(node, written & 31, narrower(node.scope, this.#scopeOf(written))), 0);
  }

  #releasesOf(written: number) {
    return this.#clock.releasesBefore(this.#events.warps[written >>> 5], written & 31, written >>> 5);
  }

  #scopeOf(written: number): Site['scope'] {
    return this.#siteOf(written).scope;
  }

  /** A read-modify-write sees what those before it have published, and adds what its thread has released. */
  #modify(address: number): SyncVariable | undefined {
    this.#address = address;
    const written = this.#writtenAt(address);
    const variables = this.#variables();
    let variable = variables.get(address);
    if (variable?.cell !== written) variable = undefined;
    if (variable) this.#link(variable, variable.until);
    else if (!this.#isOld(written)) this.#linkToWriter(written);
    const own = this.#clock.releasesBefore(this.#warp.number, this.#lane, Number.POSITIVE_INFINITY);
    const previous = !variable && !this.#isOld(written) ? this.#releasesOf(written) : [];
    if (!variable && own.length === 0 && previous.length === 0) return undefined;
    if (!variable) {
      variable = new SyncVariable(this.#clock.knowledgeSize);
      variables.set(address, variable);
      for (const node of previous) variable.publish(node, written & 31, narrower(node.scope, this.#scopeOf(written)));
    }
    for (const node of own) variable.publish(node, this.#lane, narrower(node.scope, this.#site.scope));
    return variable;
  }
}
