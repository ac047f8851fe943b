/** The alphabet of the syntax: tokens of CUDA C++ with offsets relative to the top-level item that holds them. */
export type TokenKind = 'name' | 'number' | 'string' | 'char' | 'punct' | 'directive' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** UTF-16 offsets from the start of the item. Tokens of an expanded macro carry the range of the macro's name. */
  readonly start: number;
  readonly end: number;
  /** The next character continues without a space: `> >` and `>>` differ by this alone. */
  readonly joined: boolean;
  /** Came out of a macro, so a fix must not edit it. */
  readonly expanded?: boolean;
}

/** Its text is read from the source where somebody asks for it. */
export interface Comment {
  readonly start: number;
  readonly end: number;
}
