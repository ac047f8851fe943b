/** What the analyzers say about a file, in plain data. Positions are 0-based, columns in UTF-16 units, as in the language server protocol. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface SourceRange {
  readonly start: Position;
  readonly end: Position;
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

export interface TextEdit {
  readonly range: SourceRange;
  readonly newText: string;
}

/** A text by the name of its template, for who says it in another language: parts that are no wordings are code, names and numbers. */
export interface Wording {
  /** `rule/message`, or the name of a phrase that rules share. */
  readonly id: string;
  readonly parts?: Readonly<Record<string, Part | undefined>>;
}

/** A list has commas between its parts. */
export type Part = string | number | Wording | readonly Part[];

export interface Fix {
  readonly title: string;
  readonly wording?: Wording;
  readonly edits: readonly TextEdit[];
  /** Keeps the program's meaning: may be applied in bulk. */
  readonly safe: boolean;
}

export interface RelatedPlace {
  readonly range: SourceRange;
  readonly message: string;
  readonly wording?: Wording;
  /** What a rule says of this place, and what the finding that it is related to is the reason for. */
  readonly folded?: Pick<Finding, 'rule' | 'severity' | 'message' | 'wording'>;
}

export interface Finding {
  /** Rule id, which is also the name of its page in docs/rules. */
  readonly rule: string;
  readonly severity: Severity;
  readonly range: SourceRange;
  /** What is wrong, why it matters (with a number), what to do. */
  readonly message: string;
  /** What the message is made of; undefined where there is no template. */
  readonly wording?: Wording;
  readonly related: readonly RelatedPlace[];
  readonly fixes: readonly Fix[];
}

/** A range of the file that was asked about, or of another one. */
export interface LocatedRange {
  /** Absolute; undefined for the file itself. */
  readonly path?: string;
  readonly range: SourceRange;
}

/** Ranges to replace for another name, or why that cannot be done, as a sentence. */
export type RenamePlan = { readonly ranges: readonly SourceRange[] } | { readonly problem: string };

export type NameKind = 'kernel' | 'device-function' | 'function' | 'type' | 'parameter' | 'constant' | 'macro' | 'member' | 'cuda';

/** A name and what it means. */
export interface NameToken {
  readonly kind: NameKind;
  readonly range: SourceRange;
}

/** What a file defines. */
export interface SourceSymbol {
  readonly name: string;
  readonly kind: 'kernel' | 'function' | 'method' | 'type' | 'enum' | 'field' | 'variable' | 'constant';
  /** Where it runs: `__device__`. */
  readonly detail?: string;
  readonly range: SourceRange;
  readonly nameRange: SourceRange;
  readonly children: readonly SourceSymbol[];
}

/** Where the code lenses go. */
export interface Outline {
  readonly kernels: readonly KernelOutline[];
  /** Functions of the host, which may be references for kernels; `main` and methods are none. */
  readonly functions: readonly CallableOutline[];
  /** Name of `main`, if the file has one. */
  readonly main?: SourceRange;
}

export interface CallableOutline {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
}

export interface KernelOutline extends CallableOutline {
  /** Parameters of a template, those that are deduced, too. */
  readonly templates: readonly { readonly name: string; readonly kind: 'type' | 'value' }[];
  readonly nameRange: SourceRange;
  readonly range: SourceRange;
  readonly launches: readonly { readonly range: SourceRange; readonly grid?: string; readonly block?: string }[];
}

export interface Hover {
  readonly range: SourceRange;
  /** Does not repeat the messages of findings: an editor shows those by itself. */
  readonly markdown: string;
  /** Rule of the finding that this is about, if any: its page in docs/rules says more. */
  readonly rule?: string;
  /** SVG text that explains better than words. Its text has the colour of the root element. */
  readonly picture?: string;
}
