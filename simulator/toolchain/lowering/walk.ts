/** Past instructions, without changing them. */
import { FIRST_PREFIX, IMMEDIATES, instructionName, PLAIN_INSTRUCTIONS, PREFIXED_INSTRUCTIONS } from './instructions.ts';
import { type ModuleReader, UnsupportedModule } from './module-bytes.ts';

/** Reads the next instruction to its end; its first byte. */
export function skipInstruction(reader: ModuleReader): number {
  const code = reader.byte();
  let layout: number = PLAIN_INSTRUCTIONS.immediates[code];
  if (layout === IMMEDIATES.prefix) layout = PREFIXED_INSTRUCTIONS[code - FIRST_PREFIX].immediates[reader.unsigned()] ?? IMMEDIATES.unknown;
  if (layout === IMMEDIATES.unknown) throw new UnsupportedModule(`the host module contains the instruction ${instructionName(code)}`);
  if (layout === IMMEDIATES.branchTable) for (let left = reader.unsigned() + 1; left > 0; left--) reader.skipLeb();
  else if (layout === IMMEDIATES.selectTypes) reader.skip(reader.unsigned());
  else for (const part of PARTS[layout] ?? []) part === LEB ? reader.skipLeb() : reader.skip(part);
  return code;
}

const LEB = -1;
/** By layout: what follows, numbers of bytes or LEB. */
const PARTS: Readonly<Record<number, readonly number[]>> = {
  [IMMEDIATES.blockType]: [LEB],
  [IMMEDIATES.index]: [LEB],
  [IMMEDIATES.memory]: [LEB, LEB],
  [IMMEDIATES.memoryLane]: [LEB, LEB, 1],
  [IMMEDIATES.signed32]: [LEB],
  [IMMEDIATES.signed64]: [LEB],
  [IMMEDIATES.bytes4]: [4],
  [IMMEDIATES.bytes8]: [8],
  [IMMEDIATES.bytes16]: [16],
  [IMMEDIATES.lane]: [1],
  [IMMEDIATES.indirectCall]: [LEB, LEB],
  [IMMEDIATES.globalGet]: [LEB],
  [IMMEDIATES.memorySize]: [1],
  [IMMEDIATES.memoryGrow]: [1],
  [IMMEDIATES.memoryCopy]: [2],
  [IMMEDIATES.memoryFill]: [1],
  [IMMEDIATES.memoryInit]: [LEB, 1],
  [IMMEDIATES.table]: [LEB],
  [IMMEDIATES.tableResult]: [LEB],
  [IMMEDIATES.tableCopy]: [LEB, LEB],
  [IMMEDIATES.tableInit]: [LEB, LEB],
  [IMMEDIATES.zeroByte]: [1],
  [IMMEDIATES.heapType]: [LEB],
};
