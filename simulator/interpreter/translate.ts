/** Makes a function of the IR ready to run: values to cells, instructions to steps, blocks to segments. */

import { alignUp } from '../ir/layout.ts';
import { type Constant, type Instruction, type IrFunction, type Operand, type Type, UnsupportedIr } from '../ir/types.ts';
import { type Cell, constantCell, leavesOf } from '../machine/cells.ts';
import { scalarBits } from '../machine/constant-bytes.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { resolveSymbol } from '../machine/load-module.ts';
import { CALL_BYTES } from '../machine/stack.ts';
import { type ChosenProbes, probePoints } from '../scheduling/probes.ts';
import { Program, type Segment, type Step } from '../scheduling/program.ts';
import { callEnd } from './calls.ts';
import { branchEnd, edgesOf, returnEnd, unreachableEnd } from './control.ts';
import { innerBranchSteps } from './inner-branches.ts';
import { intrinsic } from './intrinsics.ts';
import { stepFor } from './steps.ts';

/** Functions of one kernel's launch: extern shared arrays, and with them addresses, depend on the kernel. */
export interface ProgramSet {
  readonly module: LoadedModule;
  readonly kernel: string;
  readonly probes: ChosenProbes;
  program(name: string): Program;
}

export class Translation {
  readonly program: Program;
  readonly #constants = new Map<string, number>();
  #ownCells = 0;

  constructor(
    readonly set: ProgramSet,
    readonly fn: IrFunction,
  ) {
    this.program = new Program(fn);
    for (const parameter of fn.parameters) this.#define(parameter.id, parameter.type);
    for (const block of fn.blocks) {
      for (const instruction of block.instructions) if (instruction.id >= 0) this.#define(instruction.id, instruction.type);
    }
    this.#ownCells = this.program.kinds.length;
    for (const { id, type } of fn.parameters)
      this.program.parameters.push(leavesOf(type).map((_, leaf) => this.program.firstCells[id] + leaf));
  }

  /** Cells of an operand's scalars, in order. */
  cells(operand: Operand): readonly number[] {
    if (operand.kind !== 'value') return this.#constantCells(operand);
    const first = this.program.firstCells[operand.id];
    if (first === undefined) throw new UnsupportedIr(`use of an undefined value in ${this.fn.name}`);
    return leavesOf(operand.type).map((_, index) => first + index);
  }

  /** The cell of a scalar operand. */
  cell(operand: Operand): number {
    const cells = this.cells(operand);
    if (cells.length !== 1) throw new Error(`a scalar was expected, not ${cells.length} of them`);
    return cells[0];
  }

  results(instruction: Instruction): readonly number[] {
    if (instruction.id < 0) return [];
    return leavesOf(instruction.type).map((_, index) => this.program.firstCells[instruction.id] + index);
  }

  /** A cell for intermediate values, shared by all frames: nothing may wait between its writing and reading. */
  scratch(cell: Cell): number {
    this.program.constants.push(cell);
    return this.#ownCells + this.program.constants.length - 1;
  }

  /** Byte offset within the frame of `bytes` of local memory. */
  reserve(bytes: number, align: number): number {
    const offset = alignUp(this.program.frameBytes, align);
    this.program.frameBytes = offset + bytes;
    return offset;
  }

  #define(id: number, type: Type): void {
    this.program.firstCells[id] = this.program.kinds.length;
    for (const leaf of leavesOf(type)) this.program.kinds.push(leaf.kind);
  }

  #constantCells(constant: Constant): readonly number[] {
    if (constant.kind === 'aggregate') return constant.elements.flatMap((element) => this.#constantCells(element));
    return leavesOf(constant.type).map(({ kind, bits: width }) => {
      const bits = leafCount(constant.type) === 1 ? this.#bits(constant) : 0n;
      const key = `${kind} ${BigInt.asUintN(width, bits)}`;
      let cell = this.#constants.get(key);
      if (cell === undefined) {
        cell = this.scratch(constantCell(kind, BigInt.asUintN(width, bits)));
        this.#constants.set(key, cell);
      }
      return cell;
    });
  }

  #bits(constant: Constant): bigint {
    return scalarBits(constant, (name, space) => resolveSymbol(this.set.module, this.set.kernel, name, space));
  }
}

export function translate(set: ProgramSet, fn: IrFunction): Program {
  const translation = new Translation(set, fn);
  const { program } = translation;
  program.frameBytes = CALL_BYTES;
  for (const _ of fn.blocks) program.blocks.push(addSegment(program));
  const edges = edgesOf(translation);
  for (const block of fn.blocks) {
    let segment = program.blocks[block.index];
    for (const instruction of block.instructions) {
      segment.marks.push(segment.steps.length);
      segment.instructions.push(instruction);
      if (instruction.op === 'phi') continue;
      segment.steps.push(...probeSteps(translation, instruction));
      segment = translateInstruction(translation, segment, instruction, (from, to) => edges(from, to), block.index);
      segment.steps.push(...innerBranchSteps(translation, instruction));
    }
  }
  return program;
}

/** Steps that tell what lanes are about to do. */
function probeSteps(t: Translation, instruction: Instruction): Step[] {
  return probePoints(instruction, t.set.probes).map((point) => {
    const operand = point.operand && t.cell(point.operand);
    const length = point.length && t.cell(point.length);
    const more = (point.more ?? []).flatMap((each) => t.cells(each));
    return ({ warp, mask, frame: { cells } }) => {
      const { block, alive } = warp;
      const place = { block: block.linear, warp: warp.shape.index, mask, alive, function: t.fn.name, instruction, memory: block };
      block.grid.reporter!.tell(point, place, {
        operand: operand === undefined ? undefined : cells[operand].i,
        length: length === undefined ? undefined : cells[length].i,
        more: more.map((cell) => cells[cell].i),
      });
    };
  });
}

function addSegment(program: Program): Segment {
  const segment: Segment = {
    index: program.segments.length,
    steps: [],
    end: () => {
      throw new Error('a segment without an end');
    },
    instructions: [],
    weight: 0,
    marks: [],
  };
  program.segments.push(segment);
  return segment;
}

type Edges = ReturnType<typeof edgesOf>;

/** Adds an instruction to a segment; returns the segment that the next instruction belongs to. */
function translateInstruction(t: Translation, segment: Segment, instruction: Instruction, edges: Edges, block: number): Segment {
  switch (instruction.op) {
    case 'br':
    case 'condbr':
    case 'switch':
      segment.end = branchEnd(t, instruction, edges, block);
      return segment;
    case 'ret':
      segment.end = returnEnd(t, instruction);
      return segment;
    case 'unreachable':
      segment.end = unreachableEnd(instruction);
      return segment;
    case 'call':
      return translateCall(t, segment, instruction);
    default:
      segment.steps.push(stepFor(t, instruction));
      return segment;
  }
}

function translateCall(t: Translation, segment: Segment, instruction: Extract<Instruction, { op: 'call' }>): Segment {
  if (t.set.module.ir.functions.has(instruction.callee)) {
    segment.end = callEnd(t, instruction);
    return following(t.program, segment);
  }
  const meaning = intrinsic(t, instruction);
  if (!meaning) return segment;
  if ('step' in meaning) {
    segment.steps.push(meaning.step satisfies Step);
    return segment;
  }
  segment.end = meaning.end;
  segment.exchange = meaning.exchange;
  segment.reduction = meaning.reduction;
  return following(t.program, segment);
}

function following(program: Program, segment: Segment): Segment {
  segment.next = addSegment(program);
  return segment.next;
}

function leafCount(type: Type): number {
  return leavesOf(type).length;
}
