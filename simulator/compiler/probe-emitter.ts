/** Code that tells the host what lanes are about to do, for the probes that a kernel is compiled with. */
import type { Instruction, Operand } from '../ir/types.ts';
import { probePoints } from '../scheduling/probes.ts';
import type { BlockRunner } from './block-runner.ts';
import type { Origin } from './inlining.ts';
import type { EmittedProbe, ProbeOperand } from './kernel-context.ts';
import { FRAME } from './layout.ts';
import type { MemoryEmitter } from './memory-emitter.ts';

/** `origin`: undefined for an instruction that the module does not have. */
export function emitProbes(e: MemoryEmitter, instruction: Instruction, origin: Origin | undefined): void {
  const { probe } = e.context.imports;
  if (!probe || !origin) return;
  for (const point of probePoints(instruction, e.context.chosen)) {
    const number = e.context.addProbe({
      point,
      function: origin.fn.name,
      instruction: origin.fn.blocks.flatMap((b) => b.instructions).find(({ site }) => site === origin.site)!,
      operand: point.operand && lanesOf(e, point.operand),
      length: point.length && lanesOf(e, point.length),
    });
    e.f.get(e.frame).get(e.mask).i32(number).call(probe);
  }
}

/** A call of the host by such code: by whom, and of which probe. */
export interface ProbeCall {
  readonly frame: number;
  readonly mask: number;
  readonly probe: number;
}

/** The lanes of a probe's operand in the frame of the warp that has called. */
export function probedLanes({ words }: BlockRunner, { frame }: ProbeCall, operand: ProbeOperand | undefined): Int32Array | undefined {
  if (!operand) return undefined;
  const at = (frame + operand.slot) >> 2;
  return words.subarray(at, at + (operand.wide ? 64 : 32));
}

export function probedPlace(runner: BlockRunner, { frame, mask }: ProbeCall, { function: name, instruction }: EmittedProbe) {
  return { block: runner.block, warp: runner.words[(frame + FRAME.warp) >> 2], mask, function: name, instruction };
}

function lanesOf(e: MemoryEmitter, operand: Operand): ProbeOperand {
  const [reference] = e.names.references(operand);
  return { slot: e.vectorSlot(reference), wide: reference.cls === 'double' };
}
