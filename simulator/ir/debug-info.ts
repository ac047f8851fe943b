/**
 * Source locations from the metadata of the IR text. Nodes are read when an instruction asks for them, each once, so that all
 * instructions of one place share one Location.
 */
import { Lexer } from './lexer.ts';
import { ParseError } from './parse-error.ts';
import type { LexicalBlock, Location } from './types.ts';

/** Where the text of each numbered metadata node lies, behind its `!12 = `. */
export type MetadataNodes = ReadonlyMap<number, { readonly start: number; readonly end: number }>;

interface Node {
  readonly kind: string;
  readonly fields: ReadonlyMap<string, string>;
}

interface Scope {
  readonly file: string;
  readonly name: string;
  readonly linkageName?: string;
  readonly block?: LexicalBlock;
}

/** Inlining and lexical scopes are never nested as deep as this; a chain that is goes in circles. */
const MAX_DEPTH = 500;

export class DebugInfo {
  readonly #locations = new Map<number, Location | undefined>();
  readonly #scopes = new Map<number, Scope>();
  readonly #files = new Map<number, string>();

  constructor(
    readonly source: string,
    readonly nodes: MetadataNodes,
  ) {}

  /** The DILocation with this number; undefined if the node is something else or missing. */
  location(id: number, depth = 0): Location | undefined {
    if (this.#locations.has(id)) return this.#locations.get(id);
    const node = this.#node(id, depth);
    let location: Location | undefined;
    if (node?.kind === 'DILocation') {
      const scope = this.#scope(reference(node, 'scope'), depth + 1);
      const inlinedAt = this.location(reference(node, 'inlinedAt'), depth + 1);
      location = { file: scope.file, line: count(node, 'line'), column: count(node, 'column'), scope: scope.name };
      if (scope.linkageName) location = { ...location, linkageName: scope.linkageName };
      if (scope.block) location = { ...location, block: scope.block };
      if (inlinedAt) location = { ...location, inlinedAt };
    }
    this.#locations.set(id, location);
    return location;
  }

  /** Where the function with this DISubprogram is defined. */
  subprogram(id: number): Location | undefined {
    const node = this.#node(id, 0);
    if (node?.kind !== 'DISubprogram') return undefined;
    const scope = this.#scope(id, 0);
    return { file: scope.file, line: count(node, 'line'), column: 0, scope: scope.name };
  }

  /** The variable of the source with this DILocalVariable. */
  variable(id: number): { readonly name: string; readonly line: number; readonly unsigned: boolean } | undefined {
    const node = this.#node(id, 0);
    const name = node?.kind === 'DILocalVariable' ? node.fields.get('name') : undefined;
    return name && node ? { name, line: count(node, 'line'), unsigned: this.#isUnsigned(reference(node, 'type'), 0) } : undefined;
  }

  /** Whether a node that this one names has this text. */
  names(id: number, text: string): boolean {
    return [...this.#text(id).matchAll(/!(\d+)/g)].some(([, named]) => this.#text(Number(named)) === text);
  }

  #text(id: number): string {
    const range = this.nodes.get(id);
    return range ? this.source.slice(range.start, range.end).trim() : '';
  }

  #isUnsigned(type: number, depth: number): boolean {
    const node = this.#node(type, depth);
    if (node?.kind === 'DIBasicType') return /^DW_ATE_(unsigned|boolean)/.test(node.fields.get('encoding') ?? '');
    const named = node?.kind === 'DIDerivedType' && node.fields.get('tag') !== 'DW_TAG_pointer_type';
    return named && this.#isUnsigned(reference(node, 'baseType'), depth + 1);
  }

  #scope(id: number, depth: number): Scope {
    let scope = this.#scopes.get(id);
    if (scope) return scope;
    const node = this.#node(id, depth);
    if (node?.kind === 'DISubprogram') {
      scope = {
        file: this.#file(reference(node, 'file')),
        name: node.fields.get('name') ?? '',
        linkageName: node.fields.get('linkageName'),
      };
    } else if (node?.kind === 'DILexicalBlock' || node?.kind === 'DILexicalBlockFile') {
      const outer = this.#scope(reference(node, 'scope'), depth + 1);
      const file = node.fields.has('file') ? this.#file(reference(node, 'file')) : outer.file;
      scope = { ...outer, file };
      // The other kind says only that a part of a block is from another file.
      if (node.kind === 'DILexicalBlock') {
        const block = { line: count(node, 'line'), column: count(node, 'column') };
        scope = { ...scope, block: outer.block ? { ...block, outer: outer.block } : block };
      }
    } else scope = { file: '', name: '' };
    this.#scopes.set(id, scope);
    return scope;
  }

  #file(id: number): string {
    let file = this.#files.get(id);
    if (file !== undefined) return file;
    const node = this.#node(id, 0);
    const name = node?.fields.get('filename') ?? '';
    const directory = node?.fields.get('directory') ?? '';
    file = directory && !/^([/\\]|[A-Za-z]:)/.test(name) ? `${directory.replace(/[/\\]$/, '')}/${name}` : name;
    this.#files.set(id, file);
    return file;
  }

  #node(id: number, depth: number): Node | undefined {
    const range = this.nodes.get(id);
    if (!range) return undefined;
    const lexer = new Lexer(this.source, range.start, range.end);
    if (depth > MAX_DEPTH) throw new ParseError(`metadata !${id} refers to itself`, lexer.line());
    lexer.accept('distinct');
    if (!lexer.at('metadata')) return undefined;
    const kind = lexer.take('metadata');
    const fields = new Map<string, string>();
    for (lexer.expect('('); lexer.at('label'); ) {
      const name = lexer.take('label');
      fields.set(name, lexer.text);
      while (lexer.kind !== 'end' && !lexer.is(',') && !lexer.is(')')) lexer.next();
      lexer.accept(',');
    }
    return { kind, fields };
  }
}

/** Number of the node that a field refers to; -1 for none. */
function reference(node: Node, field: string): number {
  return toInteger(node.fields.get(field), -1);
}

function count(node: Node, field: string): number {
  return toInteger(node.fields.get(field), 0);
}

function toInteger(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : otherwise;
}
