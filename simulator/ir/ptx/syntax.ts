/**
 * The text of an inline assembly statement to PTX statements (PTX ISA 9.0, "Syntax"). Knows the grammar and no instruction; `$3` and
 * `${3:x}` are LLVM's spelling of the C++ statement's operand 3.
 */
import { UnsupportedIr } from '../types.ts';

export type PtxOperand =
  | { readonly kind: 'register'; readonly name: string }
  /** An operand of the C++ statement. */
  | { readonly kind: 'parameter'; readonly index: number }
  /** %tid.x, %laneid, ..., without the percent sign. */
  | { readonly kind: 'special'; readonly name: string }
  | { readonly kind: 'integer'; readonly value: bigint }
  /** IEEE bits of a `float` or a `double`. */
  | { readonly kind: 'float'; readonly bits: bigint; readonly double: boolean }
  | { readonly kind: 'vector'; readonly elements: readonly PtxOperand[] }
  | { readonly kind: 'address'; readonly base: PtxOperand; readonly offset: bigint }
  /** `d|p` */
  | { readonly kind: 'pair'; readonly first: PtxOperand; readonly second: PtxOperand }
  /** `!p` */
  | { readonly kind: 'not'; readonly operand: PtxOperand }
  /** `_`: the result is not wanted. */
  | { readonly kind: 'sink' };

export type PtxStatement =
  | { readonly kind: 'open' | 'close' }
  | { readonly kind: 'label'; readonly name: string }
  /** `type` is without its dot; `count` for `.reg .b32 r<4>`. */
  | { readonly kind: 'declaration'; readonly type: string; readonly names: readonly { readonly name: string; readonly count?: number }[] }
  | PtxInstruction;

export interface PtxInstruction {
  readonly kind: 'instruction';
  /** As written, with all modifiers: for messages. */
  readonly text: string;
  readonly name: string;
  readonly modifiers: readonly string[];
  readonly operands: readonly PtxOperand[];
  readonly guard?: { readonly predicate: PtxOperand; readonly negated: boolean };
}

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<token>0[fF][0-9a-fA-F]{8}(?![0-9a-fA-F])|0[dD][0-9a-fA-F]{16}|0[xX][0-9a-fA-F]+U?|\d+\.\d*(?:[eE][-+]?\d+)?|\d+U?|\$\d+|\$\{\d+(?::\w+)?\}|\.?[A-Za-z_%$][\w$]*(?:(?:\.|::)[\w$]+)*|\.[\w]+(?:(?:\.|::)[\w]+)*|[-+*!@{}()[\],;:|<>=~&^/])/gy;

/** Throws UnsupportedIr, with what it read, where the text is not PTX. */
export function parsePtx(text: string): PtxStatement[] {
  return new PtxParser(text).statements();
}

class PtxParser {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.length) {
      const { lastIndex } = TOKEN;
      const match = TOKEN.exec(text);
      if (!match) throw new UnsupportedIr(`inline PTX: cannot read "${text.slice(lastIndex, lastIndex + 20)}"`);
      if (match.groups?.token) this.#tokens.push(match.groups.token);
    }
  }

  statements(): PtxStatement[] {
    const statements: PtxStatement[] = [];
    while (this.#at < this.#tokens.length) {
      if (this.#accept(';')) continue;
      if (this.#accept('{')) statements.push({ kind: 'open' });
      else if (this.#accept('}')) statements.push({ kind: 'close' });
      else if (this.#tokens[this.#at + 1] === ':' && !this.#peek().startsWith('.')) {
        statements.push({ kind: 'label', name: this.#next() });
        this.#next();
      } else if (this.#peek().startsWith('.')) statements.push(...this.#directive());
      else statements.push(this.#instruction());
    }
    return statements;
  }

  #directive(): PtxStatement[] {
    const words = this.#next().slice(1).split('.');
    if (words[0] === 'pragma' || words[0] === 'loc') {
      while (!this.#accept(';') && this.#at < this.#tokens.length) this.#next();
      return [];
    }
    if (words[0] !== 'reg') throw new UnsupportedIr(`inline PTX: the directive .${words[0]}`);
    const type = words[1] ?? this.#next().slice(1);
    const names: { name: string; count?: number }[] = [];
    do {
      const name = this.#next();
      if (this.#accept('<')) {
        names.push({ name, count: Number(this.#next()) });
        this.#expect('>');
      } else names.push({ name });
    } while (this.#accept(','));
    this.#expect(';');
    return [{ kind: 'declaration', type, names }];
  }

  #instruction(): PtxInstruction {
    let guard: PtxInstruction['guard'];
    if (this.#accept('@')) {
      const negated = this.#accept('!');
      guard = { negated, predicate: this.#operand() };
    }
    const text = this.#next();
    const [name, ...modifiers] = text.split('.');
    const operands: PtxOperand[] = [];
    if (this.#at < this.#tokens.length && !this.#ends()) {
      do operands.push(this.#operand());
      while (this.#accept(','));
    }
    if (!this.#accept(';') && this.#at < this.#tokens.length && this.#peek() !== '}')
      throw new UnsupportedIr(`inline PTX: expected ";" behind ${text}, found "${this.#peek()}"`);
    return { kind: 'instruction', text, name, modifiers, operands, ...(guard && { guard }) };
  }

  #ends(): boolean {
    return this.#peek() === ';' || this.#peek() === '}';
  }

  #operand(): PtxOperand {
    const first = this.#simpleOperand();
    return this.#accept('|') ? { kind: 'pair', first, second: this.#simpleOperand() } : first;
  }

  #simpleOperand(): PtxOperand {
    if (this.#accept('!')) return { kind: 'not', operand: this.#simpleOperand() };
    if (this.#accept('{')) return { kind: 'vector', elements: this.#list('}') };
    if (this.#accept('(')) {
      const inner = this.#operand();
      this.#expect(')');
      return inner;
    }
    if (this.#accept('[')) return this.#address();
    if (this.#accept('-')) return negative(this.#simpleOperand());
    if (this.#accept('+')) return this.#simpleOperand();
    return atom(this.#next());
  }

  /** `[a]`, `[a+16]`, `[a, {x, y}]`: the last, of textures and tensors, is refused where it is used. */
  #address(): PtxOperand {
    const base = this.#simpleOperand();
    let offset = 0n;
    for (let negated = this.#peek() === '-'; this.#accept('+') || this.#accept('-'); negated = this.#peek() === '-') {
      const value = this.#simpleOperand();
      if (value.kind !== 'integer') throw new UnsupportedIr('inline PTX: an address with an offset that is no number');
      offset += negated ? -value.value : value.value;
    }
    if (this.#accept(',')) return { kind: 'vector', elements: [base, ...this.#list(']')] };
    this.#expect(']');
    return { kind: 'address', base, offset };
  }

  #list(end: string): PtxOperand[] {
    const elements: PtxOperand[] = [];
    do elements.push(this.#operand());
    while (this.#accept(','));
    this.#expect(end);
    return elements;
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #next(): string {
    if (this.#at >= this.#tokens.length) throw new UnsupportedIr('inline PTX: the text ends in the middle of an instruction');
    return this.#tokens[this.#at++];
  }

  #accept(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#accept(token)) throw new UnsupportedIr(`inline PTX: expected "${token}", found "${this.#peek()}"`);
  }
}

const view = new DataView(new ArrayBuffer(8));

function atom(token: string): PtxOperand {
  const parameter = /^\$\{?(\d+)(?::\w+)?\}?$/.exec(token);
  if (parameter) return { kind: 'parameter', index: Number(parameter[1]) };
  if (token === '_') return { kind: 'sink' };
  if (/^0[fF]/.test(token)) return { kind: 'float', bits: BigInt(`0x${token.slice(2)}`), double: false };
  if (/^0[dD]/.test(token)) return { kind: 'float', bits: BigInt(`0x${token.slice(2)}`), double: true };
  if (/^\d+\./.test(token)) {
    view.setFloat64(0, Number(token));
    return { kind: 'float', bits: view.getBigUint64(0), double: true };
  }
  if (/^0[0-7]+U?$/.test(token)) return { kind: 'integer', value: BigInt(`0o${token.replace('U', '')}`) };
  if (/^\d/.test(token)) return { kind: 'integer', value: BigInt(token.replace('U', '')) };
  if (token === 'WARP_SZ') return { kind: 'integer', value: 32n };
  if (token.startsWith('%') && SPECIAL.test(token)) return { kind: 'special', name: token.slice(1) };
  if (/^[A-Za-z_$%]/.test(token)) return { kind: 'register', name: token };
  throw new UnsupportedIr(`inline PTX: "${token}" is no operand`);
}

/** Registers that programs declare may begin with a percent sign, too. */
const SPECIAL =
  /^%(n?tid|n?ctaid|nclusterid|clusterid|cluster_n?ctaid|cluster_n?ctarank|is_explicit_cluster|laneid|n?warpid|n?smid|gridid|lanemask_\w+|clock\w*|pm\d+|envreg\d+|globaltimer\w*|total_smem_size|aggr_smem_size|dynamic_smem_size|reserved_smem\w*|current_graph_exec)\b/;

function negative(operand: PtxOperand): PtxOperand {
  if (operand.kind === 'integer') return { kind: 'integer', value: -operand.value };
  if (operand.kind !== 'float') throw new UnsupportedIr('inline PTX: a minus sign before something that is no number');
  return { ...operand, bits: operand.bits ^ (1n << (operand.double ? 63n : 31n)) };
}
