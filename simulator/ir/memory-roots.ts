/**
 * Which memory a pointer can point to, by following it back to where it came from. Lanes see different bytes behind one address in
 * local memory only, and two pointers with different variables as their roots never meet.
 */
import { accessesMayPass, keepsPointers } from './intrinsics.ts';
import { type AddressSpace, type Instruction, type IrFunction, type Operand, ordersOthers } from './types.ts';

export type Root =
  /** A variable of the module. */
  | { readonly kind: 'variable'; readonly name: string }
  /** A parameter of the function. */
  | { readonly kind: 'parameter'; readonly id: number }
  /** An alloca or a structure that was passed by value. */
  | { readonly kind: 'local'; readonly id: number }
  /** Computed in a way that says nothing: loaded, made of an integer, returned by a call. */
  | { readonly kind: 'unknown' };

export interface MemoryRoots {
  /** All roots that the pointer may have; `unknown` is among them if there may be others. */
  rootsOf(pointer: Operand): readonly Root[];
  /** The address space that the pointer is known to be in; 0 if it is not known. */
  spaceOf(pointer: Operand): AddressSpace;
  /** The address of local memory is stored or passed on somewhere in the function, so that pointers of unknown origin may be local. */
  readonly localEscapes: boolean;
}

const UNKNOWN: Root = { kind: 'unknown' };
/** A pointer with more possible roots counts as unknown. */
const MAX_ROOTS = 8;

/** `spaceOfVariable` gives the space of a module's variable; undefined for functions. */
export function memoryRoots(fn: IrFunction, spaceOfVariable: (name: string) => AddressSpace | undefined): MemoryRoots {
  const definitions = new Map<number, Instruction>();
  for (const { instructions } of fn.blocks) for (const i of instructions) if (i.id >= 0) definitions.set(i.id, i);
  const parameters = new Map(fn.parameters.map((p) => [p.id, p]));
  const known = new Map<number, readonly Root[]>();

  const rootsOf = (pointer: Operand): readonly Root[] => {
    if (pointer.kind === 'symbol') return [{ kind: 'variable', name: pointer.name }];
    if (pointer.kind !== 'value') return pointer.kind === 'undef' ? [] : [UNKNOWN];
    let roots = known.get(pointer.id);
    if (!roots) {
      roots = collect(pointer.id);
      known.set(pointer.id, roots);
    }
    return roots;
  };

  const collect = (start: number): readonly Root[] => {
    const roots: Root[] = [];
    const seen = new Set([start]);
    const follow = (operand: Operand) => {
      if (operand.kind === 'value') seen.add(operand.id);
      else roots.push(...rootsOf(operand));
    };
    for (const id of seen) {
      const parameter = parameters.get(id);
      const definition = definitions.get(id);
      if (parameter) roots.push({ kind: parameter.byval ? 'local' : 'parameter', id });
      else if (definition?.op === 'alloca') roots.push({ kind: 'local', id });
      else if (definition?.op === 'getelementptr') follow(definition.base);
      else if (definition?.op === 'phi') for (const { value } of definition.incoming) follow(value);
      else if (definition?.op === 'select') for (const value of [definition.a, definition.b]) follow(value);
      else if (definition?.op === 'addrspacecast' || definition?.op === 'freeze' || definition?.op === 'bitcast') follow(definition.a);
      else roots.push(UNKNOWN);
    }
    return roots.length > MAX_ROOTS ? [UNKNOWN] : roots;
  };

  const spaceOf = (pointer: Operand): AddressSpace => {
    if (pointer.type.kind === 'ptr' && pointer.type.space !== 0) return pointer.type.space;
    const spaces = new Set(rootsOf(pointer).map((root) => spaceOfRoot(root, fn, spaceOfVariable)));
    const [space, ...others] = spaces;
    return others.length === 0 ? (space ?? 0) : 0;
  };

  return { rootsOf, spaceOf, localEscapes: escapes(fn, rootsOf) };
}

/** True if the two pointers can point to the same memory. */
export function mayAlias(roots: MemoryRoots, a: Operand, b: Operand): boolean {
  const [spaceA, spaceB] = [roots.spaceOf(a), roots.spaceOf(b)];
  if (spaceA !== 0 && spaceB !== 0 && spaceA !== spaceB) return false;
  const others = roots.rootsOf(b);
  return roots.rootsOf(a).some((x) => others.some((y) => mayMeet(x, y) && mayMeet(y, x)));
}

/** False if the first root rules the second out. */
function mayMeet(x: Root, y: Root): boolean {
  if (y.kind === 'unknown') return true;
  switch (x.kind) {
    case 'unknown':
      return true;
    case 'variable':
      return y.kind === 'variable' ? y.name === x.name : y.kind === 'parameter';
    case 'local':
      // Another function's local memory can come in through a parameter, this function's own cannot.
      return y.kind === 'local' && y.id === x.id;
    case 'parameter':
      return y.kind !== 'local';
  }
}

function spaceOfRoot(root: Root, fn: IrFunction, spaceOfVariable: (name: string) => AddressSpace | undefined): AddressSpace {
  if (root.kind === 'local') return 5;
  if (root.kind === 'variable') return spaceOfVariable(root.name) ?? 0;
  // A kernel gets pointers to global memory from the host; ptxas assumes the same.
  return root.kind === 'parameter' && fn.isKernel ? 1 : 0;
}

function escapes(fn: IrFunction, rootsOf: (pointer: Operand) => readonly Root[]): boolean {
  const isLocal = (operand: Operand) => operand.type.kind === 'ptr' && rootsOf(operand).some((r) => r.kind === 'local');
  return fn.blocks.some(({ instructions }) =>
    instructions.some((i) => {
      if (i.op === 'store') return isLocal(i.value);
      if (i.op === 'ptrtoint') return isLocal(i.a);
      if (i.op === 'call') return keepsPointers(i.callee) && i.args.some(isLocal);
      return i.op === 'callIndirect' && i.args.some(isLocal);
    }),
  );
}

/** Whether it may change memory that this thread knows: by a store, or since it orders what others have stored. */
export function mayChangeMemory(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'load':
      return ordersOthers(instruction.order);
    case 'call':
      return !accessesMayPass(instruction.callee);
    case 'store':
    case 'callIndirect':
    case 'fence':
    case 'atomicrmw':
    case 'cmpxchg':
      return true;
    default:
      return false;
  }
}
