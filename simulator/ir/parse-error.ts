/** The text is not LLVM IR as Clang writes it. `line` is the 1-based line of the IR text, not of the program. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(`LLVM IR, line ${line}: ${message}`);
  }
}
