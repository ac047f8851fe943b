/** The interpreter, put together: each part reaches those above it through the machine (machine.ts). */
import { performCall } from './calls.ts';
import { designate } from './designators.ts';
import { evaluateExpression } from './expressions.ts';
import { performLaunch } from './launches.ts';
import { type Interpreter, type Machine, type MachineOptions, makeMachine } from './machine.ts';
import { executeStatement } from './statements.ts';

const INTERPRETER: Interpreter = {
  evaluate: evaluateExpression,
  lvalue: designate,
  call: performCall,
  launch: performLaunch,
  execute: executeStatement,
};

export function newMachine(options: MachineOptions): Machine {
  return makeMachine(INTERPRETER, options);
}
