/** A position in a list of tokens, with the small questions every parser asks. */
import type { Token } from './token.ts';

const END: Token = { kind: 'end', text: '', start: 0, end: 0, joined: false };

export class Cursor {
  at = 0;
  readonly tokens: readonly Token[];
  private readonly last: Token;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
    const end = tokens.length > 0 ? tokens[tokens.length - 1].end : 0;
    this.last = { ...END, start: end, end };
  }

  peek(ahead = 0): Token {
    return this.tokens[this.at + ahead] ?? this.last;
  }

  get text(): string {
    return this.peek().text;
  }

  get done(): boolean {
    return this.at >= this.tokens.length;
  }

  next(): Token {
    const token = this.peek();
    if (this.at < this.tokens.length) this.at++;
    return token;
  }

  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && token.kind !== 'string' && token.kind !== 'char';
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  /** `>` tokens are lexed alone; this sees `>>`, `>=`, `>>=` and `>>>` where they are written without a space. */
  joinedText(): { text: string; tokens: number } {
    const first = this.peek();
    if (first.text !== '>' || !first.joined) return { text: first.text, tokens: 1 };
    const second = this.peek(1);
    if (second.text === '=' || second.text === '==') return second.text === '=' ? { text: '>=', tokens: 2 } : { text: '>', tokens: 1 };
    if (second.text !== '>') return { text: '>', tokens: 1 };
    const third = this.peek(2);
    if (second.joined && third.text === '>') return { text: '>>>', tokens: 3 };
    if (second.joined && third.text === '=') return { text: '>>=', tokens: 3 };
    return { text: '>>', tokens: 2 };
  }

  /** End of the token before the cursor. */
  get endBefore(): number {
    return this.at > 0 ? this.tokens[this.at - 1].end : this.peek().start;
  }

  /** Index of the token that closes the bracket at `open`, or the end. */
  closing(open: number): number {
    let depth = 0;
    for (let i = open; i < this.tokens.length; i++) {
      const { text, kind } = this.tokens[i];
      if (kind !== 'punct') continue;
      if (text === '(' || text === '[' || text === '{') depth++;
      else if (text === ')' || text === ']' || text === '}') {
        depth--;
        if (depth === 0) return i;
      }
    }
    return this.tokens.length;
  }
}
