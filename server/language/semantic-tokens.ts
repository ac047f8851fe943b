/** Names as the protocol's semantic tokens. */
import { type SemanticTokens, SemanticTokensBuilder, type SemanticTokensLegend } from 'vscode-languageserver/node';
import type { NameKind, NameToken } from '../../protocol/finding.ts';

/** Kernels and device functions are functions with modifiers of our own, which themes may know. */
export const LEGEND: SemanticTokensLegend = {
  tokenTypes: ['function', 'type', 'parameter', 'enumMember', 'macro', 'property', 'variable'],
  tokenModifiers: ['readonly', 'defaultLibrary', 'kernel', 'device'],
};

const KINDS: Readonly<Record<NameKind, readonly [type: string, ...modifiers: string[]]>> = {
  kernel: ['function', 'kernel'],
  'device-function': ['function', 'device'],
  function: ['function'],
  type: ['type'],
  parameter: ['parameter'],
  constant: ['enumMember', 'readonly'],
  macro: ['macro'],
  member: ['property'],
  cuda: ['variable', 'readonly', 'defaultLibrary'],
};

/** In the order of the text. */
export function semanticTokens(names: readonly NameToken[]): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { kind, range } of names) {
    if (range.start.line !== range.end.line) continue;
    const [type, ...modifiers] = KINDS[kind];
    const bits = modifiers.reduce((all, each) => all | (1 << LEGEND.tokenModifiers.indexOf(each)), 0);
    const { line, column } = range.start;
    builder.push(line, column, range.end.column - column, LEGEND.tokenTypes.indexOf(type), bits);
  }
  return builder.build();
}
