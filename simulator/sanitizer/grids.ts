/**
 * Which grids the device has run, and which of them come before which: those of different tasks by the streams (task-order.ts), those of
 * one task by who launched whom. A child knows what the thread knew that launched it; a tail launch comes behind all of its parent and
 * of its parent's other children; launches of one block into one stream come one after the other.
 */
import type { Launch } from '../machine/launch.ts';
import type { EventTable } from './event-table.ts';
import { type KnownNode, knewOf } from './knowledge.ts';
import type { Task, TaskOrder } from './task-order.ts';

/** cudaStreamFireAndForget. */
const FIRE_AND_FORGET = 4;

/** How a kernel launched a grid. */
export interface LaunchedBy {
  readonly block: number;
  readonly lane: number;
  readonly stream: number;
  readonly tail: boolean;
  /** What the launching thread knew. */
  readonly node: KnownNode;
}

export interface GridRecord {
  readonly launch: Launch;
  readonly task: Task;
  readonly warpsPerBlock: number;
  /** Its events are those behind this one, up to `last`. */
  readonly first: number;
  last: number;
  readonly parent?: GridRecord;
  readonly by?: LaunchedBy;
}

/** How two grids come to be in no order. */
export type Unordered = 'streams' | 'parent' | 'siblings';

export class Grids {
  readonly #order: TaskOrder;
  readonly #events: EventTable;
  /** Of each task, the oldest first. */
  readonly #ofTask = new WeakMap<Task, GridRecord[]>();

  constructor(order: TaskOrder, events: EventTable) {
    this.#order = order;
    this.#events = events;
  }

  add(grid: Omit<GridRecord, 'last'>): GridRecord {
    const grids = this.#ofTask.get(grid.task) ?? [];
    this.#ofTask.set(grid.task, grids);
    const previous = grids.at(-1);
    if (previous) previous.last = grid.first;
    const record = { ...grid, last: Number.POSITIVE_INFINITY };
    grids.push(record);
    return record;
  }

  /** Everything up to this event comes before a grid. */
  floorOf(grid: GridRecord, latest: number): number {
    let isBehindAll = true;
    for (let at: GridRecord | undefined = grid; at; at = at.parent) if (at.by && !at.by.tail) isBehindAll = false;
    return this.#order.floorOf(grid.task, isBehindAll ? latest : grid.task.first);
  }

  /** The grid of an event, unless it has ended for everybody. */
  gridOf(event: number, task = this.#order.taskOf(event)): GridRecord | undefined {
    return task && this.#ofTask.get(task)?.find(({ first, last }) => event > first && event <= last);
  }

  /** Whether the access of a cell comes before all of a grid. It is of an earlier one. */
  isBefore(cell: number, grid: GridRecord): boolean {
    const event = cell >>> 5;
    if (event <= grid.task.first) return this.#order.isBefore(event, grid.task);
    const earlier = this.gridOf(event, grid.task);
    const link = earlier && linkOf(earlier, grid);
    if (!link) return true;
    const { by, sibling } = link;
    if (by.tail) return true;
    if (sibling) return sibling.block === by.block && sibling.stream === by.stream && by.stream !== FIRE_AND_FORGET;
    return knewOf(by.node, by.lane, { cell, warp: this.#events.warps[event], warpsPerBlock: earlier!.warpsPerBlock });
  }

  how(event: number, grid: GridRecord): Unordered {
    if (event <= grid.task.first) return 'streams';
    const earlier = this.gridOf(event, grid.task);
    return earlier && linkOf(earlier, grid)?.sibling ? 'siblings' : 'parent';
  }
}

/**
 * How a grid has come from the nearest grid from which an earlier one has come, too; how the earlier one did, unless it is that grid itself.
 */
function linkOf(earlier: GridRecord, grid: GridRecord): { readonly by: LaunchedBy; readonly sibling?: LaunchedBy } | undefined {
  const above = new Map<GridRecord, LaunchedBy | undefined>([[earlier, undefined]]);
  for (let at = earlier; at.parent; at = at.parent) above.set(at.parent, at.by);
  for (let at = grid; at.parent && at.by; at = at.parent) {
    if (above.has(at.parent)) return { by: at.by, sibling: above.get(at.parent) };
  }
  return undefined;
}
