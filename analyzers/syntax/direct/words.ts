/** What a token is to the reader, as a small number: each operator, each word with a meaning of its own, and any other name. */
import { AGGREGATE, ALIGNMENT, GRAMMAR_WORDS, IGNORED_CALLS, IGNORED_WORDS, isBasicType, isQualifier, OPERATOR_WORDS } from '../names.ts';
import type { Token } from '../token.ts';

export enum W {
  end,
  name,
  number,
  string,
  char,
  /** Nothing that the reader understands: `requires`, `co_await`, a stray character. */
  foreign,
  basic,
  qualifier,
  aggregate,
  ignored,
  ignoredCall,
  alignment,
  directive,
  launchBounds,
  template,
  decltype,
  if,
  else,
  for,
  while,
  do,
  switch,
  case,
  default,
  break,
  continue,
  return,
  goto,
  throw,
  using,
  namespace,
  typedef,
  try,
  catch,
  operator,
  staticAssert,
  asm,
  sizeof,
  new,
  delete,
  true,
  false,
  null,
  this,
  open,
  close,
  openSquare,
  closeSquare,
  openBrace,
  closeBrace,
  semicolon,
  comma,
  question,
  colon,
  scope,
  dot,
  arrow,
  ellipsis,
  launch,
  increment,
  decrement,
  not,
  complement,
  times,
  over,
  modulo,
  plus,
  minus,
  shiftLeft,
  less,
  lessEqual,
  greater,
  equal,
  unequal,
  and,
  xor,
  or,
  andAnd,
  orOr,
  assign,
  /** `+=` and its kin; `>>=` is three tokens. */
  assignWith,
}

const WORDS = new Map<string, W>();

function put(what: W, words: Iterable<string>): void {
  for (const word of words) WORDS.set(word, what);
}

// Later entries count.
// The grammar's names of types are names like others to the reader.
put(
  W.foreign,
  [...GRAMMAR_WORDS].filter((word) => !word.endsWith('_t')),
);
put(W.qualifier, [...GRAMMAR_WORDS, '__const', '__const__'].filter(isQualifier));
put(W.basic, [...GRAMMAR_WORDS, '__half', '__int128', 'wchar_t'].filter(isBasicType));
put(W.aggregate, AGGREGATE);
put(W.ignored, IGNORED_WORDS);
put(W.ignoredCall, IGNORED_CALLS);
put(W.alignment, ALIGNMENT);
for (const word of [
  'if',
  'else',
  'for',
  'while',
  'do',
  'switch',
  'case',
  'default',
  'break',
  'continue',
  'return',
  'goto',
  'throw',
] as const)
  WORDS.set(word, W[word]);
for (const word of [
  'using',
  'sizeof',
  'new',
  'delete',
  'true',
  'false',
  'this',
  'template',
  'decltype',
  'typedef',
  'namespace',
  'try',
  'catch',
  'operator',
] as const)
  WORDS.set(word, W[word]);
put(W.true, ['TRUE']);
put(W.false, ['FALSE']);
put(W.null, ['NULL', 'nullptr']);
put(W.launchBounds, ['__launch_bounds__']);
put(W.staticAssert, ['static_assert']);
put(W.asm, ['asm', '__asm', '__asm__']);

const OPERATORS = new Map<string, W>([
  ['(', W.open],
  [')', W.close],
  ['[', W.openSquare],
  [']', W.closeSquare],
  ['{', W.openBrace],
  ['}', W.closeBrace],
  [';', W.semicolon],
  [',', W.comma],
  ['?', W.question],
  [':', W.colon],
  ['::', W.scope],
  ['.', W.dot],
  ['->', W.arrow],
  ['...', W.ellipsis],
  ['<<<', W.launch],
  ['++', W.increment],
  ['--', W.decrement],
  ['!', W.not],
  ['~', W.complement],
  ['*', W.times],
  ['/', W.over],
  ['%', W.modulo],
  ['+', W.plus],
  ['-', W.minus],
  ['<<', W.shiftLeft],
  ['<', W.less],
  ['<=', W.lessEqual],
  ['>', W.greater],
  ['==', W.equal],
  ['!=', W.unequal],
  ['&', W.and],
  ['^', W.xor],
  ['|', W.or],
  ['&&', W.andAnd],
  ['||', W.orOr],
  ['=', W.assign],
]);
for (const operator of '*= /= %= += -= <<= &= ^= |='.split(' ')) OPERATORS.set(operator, W.assignWith);
for (const [word, operator] of OPERATOR_WORDS) WORDS.set(word, OPERATORS.get(operator) ?? W.foreign);

/** By the code of operators of one character. */
const SINGLE: readonly (W | undefined)[] = Array.from({ length: 128 }, (_, code) => OPERATORS.get(String.fromCharCode(code)));

export function wordOf({ kind, text }: Pick<Token, 'kind' | 'text'>): W {
  switch (kind) {
    case 'name':
      return WORDS.get(text) ?? W.name;
    case 'punct':
      return (text.length === 1 ? SINGLE[text.charCodeAt(0)] : OPERATORS.get(text)) ?? W.foreign;
    case 'number':
      return W.number;
    case 'string':
      return W.string;
    case 'char':
      return W.char;
    case 'directive':
      return W.directive;
    default:
      return W.foreign;
  }
}
