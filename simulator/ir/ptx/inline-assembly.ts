/**
 * Inline PTX: a call of `asm` in LLVM's text becomes instructions of the IR. What a statement jumps to, and what it does under a predicate
 * besides computing, become blocks. What is not in the tables is refused by name.
 */
import { I1, structType, VOID } from '../type-table.ts';
import { type Operand, type Type, UnsupportedIr } from '../types.ts';
import type { Draft } from '../value-parser.ts';
import { Assembler, type Surroundings, type Variable } from './assembler.ts';
import { BARRIER_INSTRUCTIONS } from './barrier-instructions.ts';
import { FLOAT_INSTRUCTIONS } from './float-instructions.ts';
import { type Entry, refuse } from './instruction.ts';
import { INTEGER_INSTRUCTIONS } from './integer-instructions.ts';
import { LANE_INSTRUCTIONS } from './lane-instructions.ts';
import { MEMORY_INSTRUCTIONS } from './memory-instructions.ts';
import { MOVE_INSTRUCTIONS } from './move-instructions.ts';
import { type PtxInstruction, type PtxStatement, parsePtx } from './syntax.ts';
import { ptxType } from './types.ts';
import { WARPGROUP_INSTRUCTIONS } from './warpgroup-instructions.ts';

const INSTRUCTIONS: ReadonlyMap<string, Entry> = new Map(
  [
    ...[INTEGER_INSTRUCTIONS, FLOAT_INSTRUCTIONS, MOVE_INSTRUCTIONS, MEMORY_INSTRUCTIONS],
    ...[LANE_INSTRUCTIONS, BARRIER_INSTRUCTIONS, WARPGROUP_INSTRUCTIONS],
  ].flatMap((table) => Object.entries(table)),
);

export interface AssemblyCall {
  readonly text: string;
  /** LLVM's: `=r,=f,l,0,~{memory}`. */
  readonly constraints: string;
  /** `void`, the type of one output, or a structure of all. */
  readonly type: Type;
  readonly args: readonly Operand[];
}

/** The statement's result, to be placed like that of the call; undefined if it has none. */
export function inlineAssembly(surroundings: Surroundings, { text, constraints, type, args }: AssemblyCall): Draft | undefined {
  const parts = constraints.split(',').filter((part) => part !== '' && !part.startsWith('~'));
  const outputs = parts.filter((part) => part.startsWith('='));
  if (outputs.some((part) => part.includes('*'))) throw new UnsupportedIr('inline PTX: an operand in memory');
  const types = outputs.length === 0 ? [] : outputs.length === 1 ? [type] : type.kind === 'struct' ? type.fields : [];
  const variables = types.map((each): Variable => ({ type: each, value: undefined }));
  const inputs = parts.slice(outputs.length);
  inputs.forEach((part, index) => {
    // An operand that is read and written ("+r") is an input that shares the output's place.
    if (/^\d+$/.test(part)) variables[Number(part)].value = args[index];
  });
  const parameters = [...variables, ...inputs.map((part, index) => (/^\d+$/.test(part) ? variables[Number(part)] : args[index]))];
  const assembler = new Assembler(surroundings, parameters);
  translate(assembler, parsePtx(text.replace(/\$\{:uid\}/g, '0').replaceAll('$$', '_')));
  return resultOf(assembler, variables, type);
}

function resultOf(assembler: Assembler, variables: readonly Variable[], type: Type): Draft | undefined {
  if (type === VOID || type.kind === 'void') return undefined;
  const results = variables.map(({ value, type: of }) => (value ? assembler.convert(value, of) : ({ kind: 'undef', type: of } as const)));
  if (results.length === 1) return { op: 'freeze', type, a: results[0] };
  const whole = structType(
    variables.map((variable) => variable.type),
    false,
  );
  const last = results.length - 1;
  const aggregate = results
    .slice(0, last)
    .reduce<Operand>((sum, value, index) => assembler.add({ op: 'insertvalue', type: whole, aggregate: sum, value, path: [index] }), {
      kind: 'undef',
      type: whole,
    });
  return { op: 'insertvalue', type: whole, aggregate, value: results[last], path: [last] };
}

function translate(assembler: Assembler, statements: readonly PtxStatement[]) {
  const jumps = statements.some(({ kind }) => kind === 'label') ? new Jumps(assembler) : undefined;
  for (const statement of statements) translateStatement(assembler, statement, jumps);
  jumps?.finish();
}

function translateStatement(assembler: Assembler, statement: PtxStatement, jumps: Jumps | undefined) {
  switch (statement.kind) {
    case 'open':
      return assembler.open();
    case 'close':
      return assembler.close();
    case 'declaration':
      for (const { name, count } of statement.names) {
        if (count === undefined) assembler.declare(name, statement.type);
        else for (let k = 0; k < count; k++) assembler.declare(`${name}${k}`, statement.type);
      }
      return;
    case 'label':
      return jumps?.label(statement.name);
    case 'instruction':
      if (statement.name === 'bra' && jumps) jumps.branch(statement);
      else translateInstruction(assembler, statement);
  }
}

function conditionOf(assembler: Assembler, { guard }: PtxInstruction): Operand | undefined {
  if (!guard) return undefined;
  const truth = assembler.read(guard.predicate, I1);
  return guard.negated ? assembler.binary('xor', truth, assembler.int(I1, 1)) : truth;
}

/** Under a predicate what only computes becomes a selection, and the rest a block of its own. */
function translateInstruction(assembler: Assembler, instruction: PtxInstruction) {
  const condition = conditionOf(assembler, instruction);
  if (!condition) return execute(assembler, instruction);
  const before = valuesOf(assembler);
  if (COMPUTES.has(instruction.name)) {
    execute(assembler, instruction);
    for (const [variable, old] of before) {
      if (variable.value === old || !variable.value) continue;
      variable.value = assembler.select(condition, assembler.convert(variable.value, variable.type), typed(assembler, variable, old));
    }
    return;
  }
  guarded(assembler, instruction, condition);
}

function guarded(assembler: Assembler, instruction: PtxInstruction, condition: Operand) {
  const { surroundings } = assembler;
  const before = new Map([...valuesOf(assembler)].map(([variable, value]) => [variable, typed(assembler, variable, value)]));
  for (const [variable, value] of before) if (variable.value) variable.value = value;
  const [then, after, start] = [surroundings.newBlock(), surroundings.newBlock(), surroundings.currentBlock()];
  assembler.act({ op: 'condbr', type: VOID, condition, then, else: after });
  surroundings.enter(then);
  execute(assembler, instruction);
  const changed = [...before].filter(([variable, old]) => variable.value !== undefined && variable.value !== old);
  const incoming = changed.map(([variable, old]) => [
    { value: old, block: start },
    { value: assembler.convert(variable.value!, variable.type), block: surroundings.currentBlock() },
  ]);
  assembler.act({ op: 'br', type: VOID, target: after });
  surroundings.enter(after);
  changed.forEach(([variable], index) => {
    variable.value = assembler.add({ op: 'phi', type: variable.type, incoming: incoming[index] });
  });
}

/** Instructions that do nothing besides giving a result. */
const COMPUTES: ReadonlySet<string> = new Set(
  [INTEGER_INSTRUCTIONS, FLOAT_INSTRUCTIONS, MOVE_INSTRUCTIONS].flatMap((table) => Object.keys(table)),
);

function valuesOf(assembler: Assembler): Map<Variable, Operand | undefined> {
  return new Map(assembler.variables.map((variable) => [variable, variable.value]));
}

function typed(assembler: Assembler, { type }: Variable, value: Operand | undefined): Operand {
  return value ? assembler.convert(value, type) : { kind: 'undef', type };
}

function execute(assembler: Assembler, instruction: PtxInstruction) {
  const entry = INSTRUCTIONS.get(instruction.name);
  if (!entry) return refuse(instruction);
  const { modifiers, operands } = instruction;
  if (modifiers.some((modifier) => !entry.modifiers.has(modifier) && !ptxType(modifier))) return refuse(instruction);
  const [least, most] = entry.operands;
  if (operands.length < least || operands.length > most)
    throw new UnsupportedIr(`inline PTX: ${instruction.text} with ${operands.length} operands`);
  entry.translate(assembler, instruction);
}

interface Edge {
  readonly from: number;
  readonly values: ReadonlyMap<Variable, Operand>;
}

interface Label {
  readonly block: number;
  readonly edges: Edge[];
  placed: boolean;
}

/** A statement that jumps: at each label every variable is a phi of what the ways to it hold. */
class Jumps {
  readonly #labels = new Map<string, Label>();
  readonly #phis: { readonly variable: Variable; readonly label: Label; readonly incoming: { value: Operand; block: number }[] }[] = [];
  /** The current block goes on to what follows. */
  #open = true;

  constructor(readonly assembler: Assembler) {}

  label(name: string) {
    const label = this.#label(name);
    if (label.placed) throw new UnsupportedIr(`inline PTX: two labels ${name}`);
    label.placed = true;
    if (this.#open) this.#go(label);
    else this.assembler.act({ op: 'unreachable', type: VOID });
    this.assembler.surroundings.enter(label.block);
    this.#open = true;
    for (const variable of this.assembler.variables) {
      const incoming: { value: Operand; block: number }[] = [];
      this.#phis.push({ variable, label, incoming });
      variable.value = this.assembler.add({ op: 'phi', type: variable.type, incoming });
    }
  }

  branch(instruction: PtxInstruction) {
    const [target] = instruction.operands;
    if (target?.kind !== 'register' || instruction.modifiers.some((modifier) => modifier !== 'uni')) return refuse(instruction);
    const { surroundings } = this.assembler;
    const condition = conditionOf(this.assembler, instruction);
    const label = this.#label(target.name);
    const next = surroundings.newBlock();
    if (condition) {
      this.#edge(label);
      // biome-ignore lint/suspicious/noThenProperty: the instruction's own word
      this.assembler.act({ op: 'condbr', type: VOID, condition, then: label.block, else: next });
    } else this.#go(label);
    // Behind a jump without a condition nothing is reached before the next label.
    surroundings.enter(next);
    this.#open = condition !== undefined;
  }

  finish() {
    for (const [name, { placed }] of this.#labels) if (!placed) throw new UnsupportedIr(`inline PTX: no label ${name} in the statement`);
    for (const { variable, label, incoming } of this.#phis) {
      for (const { from, values } of label.edges)
        incoming.push({ block: from, value: values.get(variable) ?? { kind: 'undef', type: variable.type } });
    }
  }

  #go(label: Label) {
    this.#edge(label);
    this.assembler.act({ op: 'br', type: VOID, target: label.block });
  }

  #edge({ edges }: Label) {
    const values = new Map([...valuesOf(this.assembler)].map(([variable, value]) => [variable, typed(this.assembler, variable, value)]));
    edges.push({ from: this.assembler.surroundings.currentBlock(), values });
  }

  #label(name: string): Label {
    let label = this.#labels.get(name);
    if (!label) {
      label = { block: this.assembler.surroundings.newBlock(), edges: [], placed: false };
      this.#labels.set(name, label);
    }
    return label;
  }
}
