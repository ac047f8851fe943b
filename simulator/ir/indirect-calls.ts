/**
 * A call through a pointer becomes a choice among the functions that it can lead to: those of its type whose address the module takes.
 * So lanes that call different functions part and meet like those of a `switch`, and whoever looks at the IR sees what is called.
 *
 *     r = callIndirect p(x)  =>  switch p: 1: r1 = call f(x), 2: r2 = call g(x), otherwise a fault;   r = phi r1, r2
 */
import { NO_FUNCTION } from './intrinsics/runtime.ts';
import { operandsOf } from './operands.ts';
import { type Draft, type DraftBlock, rebuilt, withBlocks } from './rebuild.ts';
import { I32, VOID } from './type-table.ts';
import type { Block, Constant, IrFunction, IrModule, Operand } from './types.ts';

type IndirectCall = Extract<Draft, { op: 'callIndirect' }>;

/** `numberOf`: a function's address. */
export function resolveIndirectCalls(module: IrModule, numberOf: (name: string) => number): IrModule {
  const calling = [...module.functions.values()].filter(({ blocks }) => blocks.some(hasIndirectCall));
  if (calling.length === 0) return module;
  const taken = [...takenAddresses(module)].flatMap((name) => module.functions.get(name) ?? []).filter((fn) => !fn.isKernel);
  taken.sort((a, b) => numberOf(a.name) - numberOf(b.name));
  const functions = new Map(module.functions);
  for (const fn of calling) {
    const candidates = (call: IndirectCall) =>
      taken.filter((callee) => fits(callee, call)).map(({ name }) => [name, numberOf(name)] as const);
    functions.set(fn.name, resolved(fn, candidates));
  }
  return { ...module, functions };
}

function hasIndirectCall({ instructions }: Block): boolean {
  return instructions.some(({ op }) => op === 'callIndirect');
}

function fits({ parameters, result }: IrFunction, { args, type }: IndirectCall): boolean {
  return result === type && parameters.length === args.length && parameters.every((p, k) => p.type === args[k].type);
}

/** Names of what stands elsewhere than where a function is called. */
function takenAddresses({ functions, globals }: IrModule): ReadonlySet<string> {
  const taken = new Set<string>();
  const take = (constant: Operand | Constant): void => {
    if (constant.kind === 'symbol') taken.add(constant.name);
    else if (constant.kind === 'aggregate') constant.elements.forEach(take);
  };
  for (const { initializer } of globals.values()) if (initializer) take(initializer);
  for (const { blocks } of functions.values()) {
    for (const { instructions } of blocks) for (const instruction of instructions) operandsOf(instruction).forEach(take);
  }
  return taken;
}

type Candidates = (call: IndirectCall) => readonly (readonly [name: string, address: number])[];

function resolved(fn: IrFunction, candidates: Candidates): IrFunction {
  let nextId = fn.valueCount;
  const newValue = (type: Operand['type']): Extract<Operand, { kind: 'value' }> => ({ kind: 'value', id: nextId++, type });
  const blocks: DraftBlock[] = [];
  // By the numbers that blocks had: their first and last pieces.
  const first: number[] = [];
  const last: number[] = [];
  for (const { label, instructions } of fn.blocks) {
    first.push(blocks.length);
    let body: Draft[] = [];
    let piece = label;
    for (const { site: _, ...draft } of instructions) {
      if (draft.op !== 'callIndirect') {
        body.push(draft as Draft);
        continue;
      }
      const callees = candidates(draft);
      if (callees.length === 0) {
        body.push(...faultFor(draft));
        continue;
      }
      const at = blocks.length;
      const parts = choice(draft, callees, { at, label: `${label}.call${at}`, newValue });
      blocks.push({ label: piece, instructions: [...body, ...parts.before] }, ...parts.calls);
      piece = `${label}.after${at}`;
      body = [...parts.after];
    }
    last.push(blocks.length);
    blocks.push({ label: piece, instructions: body });
  }
  // Up to here blocks that were there before are named by their old numbers, new ones by -1 - their place.
  const placed = blocks.map(({ label, instructions }) => ({
    label,
    instructions: instructions.map((draft) =>
      withBlocks(draft, (block) => (block < 0 ? -1 - block : draft.op === 'phi' ? last[block] : first[block])),
    ),
  }));
  return rebuilt(fn, placed, nextId);
}

/** No function fits. What the call gives is never used. */
function faultFor({ id, type, location, callee }: IndirectCall): Draft[] {
  const fault: Draft = { op: 'call', id: -1, type: VOID, location, callee: NO_FUNCTION, args: [callee] };
  return id < 0 ? [fault] : [fault, { op: 'freeze', id, type, location, a: { kind: 'undef', type } }];
}

interface Place {
  /** Number of the block that ends with the choice; those of the calls follow, and then the one behind. */
  readonly at: number;
  readonly label: string;
  newValue(type: Operand['type']): Extract<Operand, { kind: 'value' }>;
}

function choice(call: IndirectCall, candidates: ReturnType<Candidates>, { at, label, newValue }: Place) {
  const { location, args, type } = call;
  const block = (n: number): number => -1 - (at + 1 + n);
  const behind = block(candidates.length + 1);
  const number = newValue(I32);
  const cases = candidates.map(([, address], n) => ({ value: BigInt(address), block: block(n + 1) }));
  const before: Draft[] = [
    { op: 'ptrtoint', id: number.id, type: I32, location, a: call.callee },
    { op: 'switch', id: -1, type: VOID, location, value: number, default: block(0), cases, isCall: true },
  ];
  const incoming: { value: Operand; block: number }[] = [];
  const calls = candidates.map(([callee], n): DraftBlock => {
    const result = call.id < 0 ? -1 : newValue(type).id;
    if (result >= 0) incoming.push({ value: { kind: 'value', id: result, type }, block: block(n + 1) });
    const made: Draft = { op: 'call', id: result, type, location, callee, args };
    return { label: `${label}.${callee}`, instructions: [made, { op: 'br', id: -1, type: VOID, location, target: behind }] };
  });
  const fault: DraftBlock = {
    label: `${label}.none`,
    instructions: [
      { op: 'call', id: -1, type: VOID, location, callee: NO_FUNCTION, args: [call.callee] },
      { op: 'unreachable', id: -1, type: VOID, location },
    ],
  };
  const after: Draft[] = call.id < 0 ? [] : [{ op: 'phi', id: call.id, type, location, incoming }];
  return { before, calls: [fault, ...calls], after };
}
