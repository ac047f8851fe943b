/** Reads IR fixtures and finds instructions in them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseIr } from '../../simulator/ir/parse.ts';
import type { Instruction, IrFunction, IrModule, Opcode } from '../../simulator/ir/types.ts';

export const fixtureFolder = join(import.meta.dirname, '../fixtures/ir');

export function fixtureText(name: string): string {
  return readFileSync(join(fixtureFolder, name), 'utf8');
}

export function fixtureModule(name: string): IrModule {
  return parseIr(fixtureText(name));
}

/** The function whose mangled name contains `name`. */
export function functionNamed(module: IrModule, name: string): IrFunction {
  for (const fn of module.functions.values()) if (fn.name.includes(name)) return fn;
  throw new Error(`no function ${name}`);
}

export function instructionsOf(fn: IrFunction): readonly Instruction[] {
  return fn.blocks.flatMap((b) => b.instructions);
}

export function allOf<Op extends Opcode>(fn: IrFunction, op: Op): Extract<Instruction, { op: Op }>[] {
  return instructionsOf(fn).filter((i): i is Extract<Instruction, { op: Op }> => i.op === op);
}

/** The module of one kernel `@f` with this body, for tests that say their IR in place. */
export function kernel(parameters: string, body: string, globals = ''): { readonly module: IrModule; readonly fn: IrFunction } {
  const module = parseIr(`${globals}\ndefine ptx_kernel void @f(${parameters}) {\n${body}\n}\n`);
  const refusal = module.unsupported.get('f');
  if (refusal) throw refusal;
  return { module, fn: functionNamed(module, 'f') };
}
