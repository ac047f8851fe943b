/** What a kernel can reach through calls and addresses, and whether the simulator can execute all of it. */
import { forEachSymbol, operandsOf } from './operands.ts';
import type { IrFunction, IrModule } from './types.ts';

/** Names of the functions and variables that a function reaches, itself first; functions whose address is taken count as reached. */
export function reachableFrom(module: IrModule, name: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [name];
  const visit = (next: string) => {
    if (reached.has(next)) return;
    reached.add(next);
    open.push(next);
  };
  reached.add(name);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const initializer = module.globals.get(next)?.initializer;
    if (initializer) forEachSymbol(initializer, visit);
    const definition = module.functions.get(next);
    if (definition) symbolsOf(definition, visit);
  }
  return reached;
}

/** Throws UnsupportedIr if the kernel reaches something that the parser refused. */
export function requireSupported(module: IrModule, kernel: string): void {
  if (module.unsupported.size === 0) return;
  for (const name of reachableFrom(module, kernel)) {
    const refusal = module.unsupported.get(name);
    if (refusal) throw refusal;
  }
}

function symbolsOf(definition: IrFunction, visit: (name: string) => void): void {
  for (const { instructions } of definition.blocks) {
    for (const instruction of instructions) {
      if (instruction.op === 'call') visit(instruction.callee);
      for (const operand of operandsOf(instruction)) forEachSymbol(operand, visit);
    }
  }
}
