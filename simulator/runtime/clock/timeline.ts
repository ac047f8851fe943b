/**
 * When operations of devices run: a simulation by events. An operation starts when those before it have ended, it has arrived and what it
 * needs is free; of several the one with the higher priority, then the one that was submitted first. Kernels share a device: each gets of
 * what is left, and one with less than it needs takes longer. Nothing that has started is taken back, so operations must be submitted in
 * the order of time: none arrives before `advance` has been.
 */
import { Operation, type OperationRequest } from './operation.ts';

/** CUDA C++ Programming Guide, technical specifications: most grids that a device runs at once (compute capability 7.0 and later). */
const MOST_KERNELS = 128;
/** Smaller shares of a device are rounding errors. */
const LEAST_SHARE = 1e-9;

export class Timeline {
  #nowNs = 0;
  #count = 0;
  /** Nothing is before them, and they have not started; by priority, then number. */
  #ready: Operation[] = [];
  /** In the order in which they get their shares. */
  #running: Operation[] = [];
  readonly #busy = new Set<string>();
  #pending = 0;

  /** Operations that have not ended. */
  get pending(): number {
    return this.#pending;
  }

  submit(request: OperationRequest): Operation {
    const { after, ns, needs, arrivesNs, gapNs, priority } = request;
    const operation = new Operation(this.#count++, { ns, needs, arrivesNs, gapNs, priority });
    this.#pending++;
    for (const before of after) {
      if (!before) continue;
      if (before.endNs === undefined) {
        before.followers.push(operation);
        operation.unmet++;
      } else operation.readyNs = Math.max(operation.readyNs, before.endNs + (gapNs ?? 0));
    }
    if (operation.unmet === 0) this.#insert(operation);
    return operation;
  }

  /** Lets time pass up to `untilNs`. */
  advance(untilNs: number): void {
    while (this.#step(untilNs));
    this.#pass(untilNs);
  }

  /** Lets time pass until an operation has ended; when that was. */
  finish(operation: Operation): number {
    while (operation.endNs === undefined && this.#step(Number.POSITIVE_INFINITY));
    if (operation.endNs === undefined) throw new Error('an operation waits for nothing');
    return operation.endNs;
  }

  /** Lets time pass until one more operation has ended; when that was. */
  finishAny(): number {
    const { pending } = this;
    while (this.#pending === pending && this.#step(Number.POSITIVE_INFINITY));
    return this.#nowNs;
  }

  /** When an operation would start if it were submitted now and nothing else came. */
  forecast(request: OperationRequest): number {
    const copies = new Map<Operation, Operation>();
    const copy = this.#copy(copies);
    const operation = copy.submit({ ...request, after: request.after.map((each) => each && (copies.get(each) ?? each)) });
    while (operation.startNs === undefined && copy.#step(Number.POSITIVE_INFINITY));
    return operation.startNs ?? operation.readyNs;
  }

  #copy(copies: Map<Operation, Operation>): Timeline {
    const copy = new Timeline();
    const of = (operation: Operation): Operation => {
      let known = copies.get(operation);
      if (!known) {
        known = Object.assign(new Operation(operation.number, operation.request), operation);
        copies.set(operation, known);
        known.followers = operation.followers.map(of);
      }
      return known;
    };
    copy.#nowNs = this.#nowNs;
    copy.#count = this.#count;
    copy.#pending = this.#pending;
    copy.#ready = this.#ready.map(of);
    copy.#running = this.#running.map(of);
    for (const engine of this.#busy) copy.#busy.add(engine);
    return copy;
  }

  /** Comes to the next thing that happens, if it does so by then. */
  #step(untilNs: number): boolean {
    this.#start();
    const nextNs = this.#nextNs();
    if (nextNs === undefined || nextNs > untilNs) return false;
    this.#pass(nextNs);
    return true;
  }

  #nextNs(): number | undefined {
    let next: number | undefined;
    for (const operation of this.#running) {
      if (operation.speed === 0) continue;
      const ns = this.#nowNs + operation.leftNs / operation.speed;
      if (next === undefined || ns < next) next = ns;
    }
    for (const { readyNs } of this.#ready) if (readyNs > this.#nowNs && (next === undefined || readyNs < next)) next = readyNs;
    return next;
  }

  /** What runs goes on until then, at the latest when the first of it ends. */
  #pass(untilNs: number): void {
    const passedNs = untilNs - this.#nowNs;
    if (passedNs < 0) return;
    this.#nowNs = untilNs;
    const ended: Operation[] = [];
    for (const operation of this.#running) {
      const left = operation.leftNs - passedNs * operation.speed;
      // What is left by rounding alone would be a step of no time.
      operation.leftNs = this.#nowNs + left === this.#nowNs || left < 1e-6 ? 0 : left;
      if (operation.leftNs === 0 && operation.speed > 0 && this.#isOver(operation)) ended.push(operation);
    }
    for (const operation of ended) this.#end(operation);
    this.#share();
  }

  /** Goes to the next phase, if there is one. */
  #isOver(operation: Operation): boolean {
    const { needs } = operation.request;
    if (needs.kind !== 'kernel' || operation.phase === needs.phases.length - 1) return true;
    operation.leftNs = needs.phases[++operation.phase].ns;
    return false;
  }

  #end(operation: Operation): void {
    operation.endNs = this.#nowNs;
    this.#pending--;
    this.#running.splice(this.#running.indexOf(operation), 1);
    const { needs } = operation.request;
    if (needs.kind === 'engines') for (const engine of needs.engines) this.#busy.delete(engine);
    for (const follower of operation.followers) {
      follower.readyNs = Math.max(follower.readyNs, this.#nowNs + (follower.request.gapNs ?? 0));
      if (--follower.unmet === 0) this.#insert(follower);
    }
    operation.followers = [];
  }

  #insert(operation: Operation): void {
    const before = (a: Operation, b: Operation) => priorityOf(a) - priorityOf(b) || a.number - b.number;
    let at = this.#ready.length;
    while (at > 0 && before(operation, this.#ready[at - 1]) < 0) at--;
    this.#ready.splice(at, 0, operation);
  }

  #start(): void {
    for (let again = true; again; ) {
      again = false;
      const full = new Set<number>();
      for (let index = 0; index < this.#ready.length; index++) {
        const operation = this.#ready[index];
        if (operation.readyNs > this.#nowNs || !this.#hasRoom(operation, full)) continue;
        this.#ready.splice(index--, 1);
        this.#begin(operation);
        // What takes no time makes room for what comes behind it.
        again ||= operation.endNs !== undefined;
      }
    }
  }

  #hasRoom({ request: { needs, priority = 0 } }: Operation, full: Set<number>): boolean {
    if (needs.kind === 'nothing') return true;
    if (needs.kind === 'engines') return needs.engines.every((engine) => !this.#busy.has(engine));
    if (full.has(needs.device)) return false;
    const others = this.#running.filter(({ request }) => request.needs.kind === 'kernel' && request.needs.device === needs.device);
    const before = others.filter((other) => priorityOf(other) <= priority);
    const room = others.length < MOST_KERNELS && 1 - before.reduce((sum, each) => sum + shareOf(each), 0) > LEAST_SHARE;
    if (!room) full.add(needs.device);
    return room;
  }

  #begin(operation: Operation): void {
    const { needs } = operation.request;
    operation.startNs = this.#nowNs;
    let at = this.#running.length;
    while (at > 0 && priorityOf(this.#running[at - 1]) > priorityOf(operation)) at--;
    this.#running.splice(at, 0, operation);
    if (needs.kind === 'engines') for (const engine of needs.engines) this.#busy.add(engine);
    operation.speed = 1;
    if (operation.leftNs === 0 && this.#isOver(operation)) this.#end(operation);
    else this.#share();
  }

  /** Gives kernels what their devices have, in their order, and copies what others leave them. */
  #share(): void {
    const left: number[] = [];
    for (const operation of this.#running) {
      const { needs } = operation.request;
      if (needs.kind === 'engines' && needs.slowed)
        operation.speed = needs.slowed.by.some((each) => this.#busy.has(each)) ? needs.slowed.speed : 1;
      if (needs.kind !== 'kernel') continue;
      const share = shareOf(operation);
      const free = left[needs.device] ?? 1;
      const own = Math.min(share, free);
      left[needs.device] = free - own;
      operation.speed = own > LEAST_SHARE ? own / share : 0;
    }
  }
}

function priorityOf({ request }: Operation): number {
  return request.priority ?? 0;
}

function shareOf({ request: { needs }, phase }: Operation): number {
  return needs.kind === 'kernel' ? needs.phases[phase].share : 0;
}
