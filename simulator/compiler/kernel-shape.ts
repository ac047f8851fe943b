/** The control flow of a kernel as its code has it: which values are scalars, where lanes part and meet, and who decides about them. */
import { FUNCTION_END } from '../ir/reconvergence.ts';
import type { IrFunction } from '../ir/types.ts';
import { type ControlFlow, controlFlowOf } from './control-flow.ts';
import type { InlinedKernel } from './inlining.ts';
import type { KernelContext } from './kernel-context.ts';
import { type LaneForms, laneFormsOf } from './lane-forms.ts';
import { quietBranches } from './scheduling.ts';

export class KernelShape {
  readonly inlined: InlinedKernel;
  readonly fn: IrFunction;
  readonly flow: ControlFlow;
  readonly forms: LaneForms;
  /** Blocks at which lanes that have parted meet. */
  readonly meetings: ReadonlySet<number>;
  /** The host schedules the kernel's paths. */
  readonly #hasPaths: boolean;
  /** No lane that parts at the end of the block can wait, or let others run, before it has come to the meeting point. */
  readonly #isQuiet: (block: number) => boolean;

  constructor(context: KernelContext, inlined: InlinedKernel) {
    const { fn, meeting } = inlined;
    this.inlined = inlined;
    this.fn = fn;
    this.#hasPaths = context.parting !== undefined;
    this.flow = controlFlowOf(fn, meeting);
    this.#isQuiet = quietBranches(inlined, this.flow);
    this.forms = laneFormsOf(fn, this.flow, {
      uniformParameters: fn.isKernel,
      loadIsUniform: context.loadIsUniform,
      meetEarly: (block) => this.#hasPaths && !this.#isQuiet(block),
    });
    this.meetings = new Set(this.flow.order.filter((b) => this.forms.splits(b)).map((b) => this.flow.meeting[b]));
  }

  /**
   * True if the host decides in which order the lanes go that part at the end of a block. Where none of them can stop or end before all
   * meet again the order is always the same, and they are kept on the stack.
   */
  partsPath(block: number): boolean {
    if (!this.#hasPaths) return false;
    const meetsNowhere = this.flow.meeting[block] === FUNCTION_END || !this.#isQuiet(block);
    return meetsNowhere || [...this.flow.region(block)].some((b) => this.fn.blocks[b].instructions.at(-1)!.op === 'ret');
  }
}
