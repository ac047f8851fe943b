/** Code that tells the host what lanes are about to do, for the probes that a kernel is compiled with. */
import type { Instruction, Operand } from '../ir/types.ts';
import { type ProbedLanes, probePoints, type WarpPlace } from '../scheduling/probes.ts';
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
      operand: point.operand && lanesOf(e, point.operand)[0],
      length: point.length && lanesOf(e, point.length)[0],
      more: (point.more ?? []).flatMap((operand) => lanesOf(e, operand)),
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

/** The lanes of a probe's operands in the frame of the warp that has called. */
export function probedLanes({ words }: BlockRunner, frame: number, { operand, length, more }: EmittedProbe): ProbedLanes {
  const lanes = ({ slot, wide }: ProbeOperand): Int32Array => {
    const at = (frame + slot) >> 2;
    return words.subarray(at, at + (wide ? 64 : 32));
  };
  return { operand: operand && lanes(operand), length: length && lanes(length), more: more.map(lanes) };
}

export function probedPlace(runner: BlockRunner, { frame, mask }: ProbeCall, { function: name, instruction }: EmittedProbe): WarpPlace {
  const { words, block } = runner;
  const alive = words[(frame + FRAME.live) >> 2];
  return { block, warp: words[(frame + FRAME.warp) >> 2], mask, alive, function: name, instruction, memory: runner };
}

function lanesOf(e: MemoryEmitter, operand: Operand): readonly ProbeOperand[] {
  return e.names.references(operand).map((reference) => ({ slot: e.vectorSlot(reference), wide: reference.cls === 'double' }));
}
