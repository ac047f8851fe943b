/** Top-level definitions: functions, structures, aliases, variables. */
import type { AggregateDef, AliasDef, Declarator, Def, Expr, FunctionDef, Stmt, TemplateParam, TypeArg, TypeRef } from './ast.ts';
import { StatementParser } from './statements.ts';
import type { Token } from './token.ts';
import { parseSpecifiers, parseTemplateArgs, parseTemplateParams, type TypeNames } from './types.ts';

/** What the (already expanded) tokens of one item define. */
export function parseDefinitions(tokens: readonly Token[], known: TypeNames): Def[] {
  const names = new Set<string>();
  const parser = new DefinitionParser(tokens, { has: (name) => names.has(name) || known.has(name) }, names);
  const out: Def[] = [];
  while (!parser.c.done) {
    const at = parser.c.at;
    out.push(...parser.definition());
    if (parser.c.at === at) parser.c.next();
  }
  return out;
}

class DefinitionParser extends StatementParser {
  /** Template parameters and structures met on the way, which the caller's table does not know yet. */
  private readonly local: Set<string>;

  constructor(tokens: readonly Token[], known: TypeNames, local: Set<string>) {
    super(tokens, known);
    this.local = local;
  }

  definition(owner?: string): Def[] {
    const { c } = this;
    const start = c.peek().start;
    let templates: readonly TemplateParam[] = [];
    let isTemplate = false;
    while (c.is('template')) {
      c.next();
      if (!c.is('<')) break;
      isTemplate = true;
      templates = [...templates, ...parseTemplateParams(this)];
      for (const t of templates) if (t.kind === 'type') this.local.add(t.name);
      if (c.is('requires')) this.skipTo(';');
    }
    while (c.is('extern') && c.peek(1).kind === 'string') c.at += 2;
    if (c.accept(';')) return [];
    if (c.is('using') || c.is('namespace')) return this.using(templates, start);
    if (c.is('typedef')) return this.typedef(start);
    if (c.is('static_assert')) {
      this.toSemicolon();
      return [];
    }
    const from = c.at;
    while (
      c.peek().kind === 'name' &&
      ['static', 'const', 'constexpr', 'inline', '__device__', '__constant__', '__host__', '__shared__'].includes(c.text)
    )
      c.next();
    if (['struct', 'class', 'union', 'enum'].includes(c.text) && this.aggregateHasBody()) return this.aggregate(templates, start);
    c.at = from;
    return this.declaratorDefinition(templates, isTemplate, start, owner);
  }

  private aggregateHasBody(): boolean {
    const { c } = this;
    for (let i = c.at; i < c.tokens.length; i++) {
      const { text } = c.tokens[i];
      if (text === '{') return true;
      if (text === ';' || text === '(' ? !isAlignment(c.tokens[i - 1]) : text === '=' || text === ')') {
        if (text === ')') continue;
        return false;
      }
      if (text === '(') i = c.closing(i);
    }
    return false;
  }

  protected override localDefinition(): Stmt | undefined {
    const { c } = this;
    const from = c.at;
    const start = c.peek().start;
    if (c.is('static_assert')) {
      this.toSemicolon();
      return { k: 'empty', start, end: c.endBefore };
    }
    if (c.is('using') || c.is('typedef')) {
      const def = this.definition()[0];
      return def?.d === 'alias' ? { k: 'alias', def, start, end: c.endBefore } : { k: 'empty', start, end: c.endBefore };
    }
    if (!this.aggregateHasBody()) return undefined;
    const defs = this.aggregate([], start);
    const def = defs.find((d): d is AggregateDef => d.d === 'aggregate');
    const variables = defs.flatMap((d) => (d.d === 'variable' ? d.declarators : []));
    if (!def) {
      c.at = from;
      return undefined;
    }
    const aggregate: Stmt = { k: 'aggregate', def, start, end: c.endBefore };
    if (variables.length === 0) return aggregate;
    return { k: 'block', body: [aggregate, { k: 'decl', decls: variables, start, end: c.endBefore }], start, end: c.endBefore };
  }

  private using(templates: readonly TemplateParam[], start: number): Def[] {
    const { c } = this;
    const isNamespace = c.next().text === 'namespace';
    const token = c.peek();
    if (!isNamespace && c.is('namespace')) {
      this.toSemicolon();
      return [];
    }
    if (token.kind !== 'name' || !c.is('=', 1)) {
      this.toSemicolon();
      return [];
    }
    c.at += 2;
    if (isNamespace) {
      let target = '';
      while (!c.done && !c.is(';')) target += c.next().text;
      c.accept(';');
      return [{ d: 'namespace', name: token.text, target, start, end: c.endBefore }];
    }
    const type = this.typeId();
    this.toSemicolon();
    this.local.add(token.text);
    return type ? [{ d: 'alias', name: token.text, type, templates, start, end: c.endBefore }] : [];
  }

  private typedef(start: number): Def[] {
    const { c } = this;
    c.next();
    const out: Def[] = [];
    let base: TypeRef | undefined;
    if (['struct', 'class', 'union', 'enum'].includes(c.text) && this.aggregateHasBody()) {
      const def = this.aggregateBody([], start);
      out.push(def);
      base = { name: def.name, pointers: 0, reference: false, dims: [], quals: [], start: def.start, end: def.end };
    } else base = parseSpecifiers(this);
    if (!base) {
      this.toSemicolon();
      return out;
    }
    do {
      const d = this.declarator(base);
      if (!d) break;
      this.local.add(d.name);
      const def = out[0];
      // `typedef struct { … } name;`: the structure takes the name.
      if (def?.d === 'aggregate' && def.name === '' && d.type.pointers === 0) out[0] = { ...def, name: d.name };
      else out.push({ d: 'alias', name: d.name, type: d.type, templates: [], start, end: c.endBefore });
    } while (c.accept(','));
    this.toSemicolon();
    return out;
  }

  private aggregate(templates: readonly TemplateParam[], start: number): Def[] {
    const def = this.aggregateBody(templates, start);
    const out: Def[] = [def];
    if (!this.c.is(';')) {
      const base: TypeRef = { name: def.name, pointers: 0, reference: false, dims: [], quals: [], start, end: def.end };
      const declarators: Declarator[] = [];
      do {
        const d = this.declarator(base);
        if (!d) break;
        declarators.push(d);
      } while (this.c.accept(','));
      if (declarators.length > 0) out.push({ d: 'variable', declarators, start, end: this.c.endBefore });
    }
    this.toSemicolon();
    return out;
  }

  private aggregateBody(templates: readonly TemplateParam[], start: number): AggregateDef {
    const { c } = this;
    const kind = c.next().text as AggregateDef['kind'];
    if (kind === 'enum' && !c.accept('class')) c.accept('struct');
    let align: Expr | undefined;
    let packed = false;
    while (c.peek().kind === 'name' && ['alignas', '__align__', '__attribute__', '__declspec'].includes(c.text)) {
      const word = c.next().text;
      const args = c.is('(') ? this.args('(', ')') : [];
      if (word === 'alignas' || word === '__align__') align = args[0];
      else packed = true;
    }
    let name = '';
    if (c.peek().kind === 'name') {
      name = c.next().text;
      while (c.is('::')) {
        c.next();
        name = c.next().text;
      }
    }
    if (c.is('<')) parseTemplateArgs(this);
    c.accept('final');
    if (name !== '') this.local.add(name);
    const bases: TypeRef[] = [];
    if (c.accept(':')) {
      while (!c.done && !c.is('{')) {
        while (['public', 'private', 'protected', 'virtual'].includes(c.text)) c.next();
        const base = parseSpecifiers(this);
        if (base) bases.push(base);
        else c.next();
        c.accept(',');
      }
    }
    const body = {
      fields: [] as Declarator[],
      methods: [] as FunctionDef[],
      constants: [] as { name: string; value?: Expr }[],
      aliases: [] as AliasDef[],
    };
    if (kind === 'enum') this.enumerators(body.constants);
    else this.members(name, body);
    return { d: 'aggregate', name, kind, templates, bases, ...body, align, packed, start, end: c.endBefore };
  }

  private enumerators(constants: { name: string; value?: Expr }[]): void {
    const { c } = this;
    c.accept('{');
    while (!c.done && !c.is('}')) {
      const token = c.next();
      if (token.kind === 'name') constants.push({ name: token.text, value: c.accept('=') ? this.expression() : undefined });
      if (!c.is('}')) this.skipTo(',');
      c.accept(',');
    }
    c.accept('}');
  }

  private members(
    owner: string,
    body: { fields: Declarator[]; methods: FunctionDef[]; constants: { name: string; value?: Expr }[]; aliases: AliasDef[] },
  ): void {
    const { c } = this;
    c.accept('{');
    while (!c.done && !c.is('}')) {
      const at = c.at;
      if (['public', 'private', 'protected'].includes(c.text) && c.is(':', 1)) {
        c.at += 2;
        continue;
      }
      if (c.accept(';')) continue;
      const isStatic = this.memberIsStatic();
      for (const def of this.definition(owner)) {
        if (def.d === 'function') body.methods.push(def);
        else if (def.d === 'alias') body.aliases.push(def);
        else if (def.d === 'variable') {
          if (isStatic) body.constants.push(...def.declarators.map((d) => ({ name: d.name, value: d.init ?? d.args?.[0] })));
          else body.fields.push(...def.declarators);
        } else if (def.d === 'aggregate' && def.kind === 'enum') body.constants.push(...def.constants);
        // An anonymous structure or union inside: its fields are ours.
        else if (def.d === 'aggregate' && def.name === '') body.fields.push(...def.fields);
      }
      if (c.at === at) c.next();
    }
    c.accept('}');
  }

  private memberIsStatic(): boolean {
    const { c } = this;
    for (let i = 0; c.peek(i).kind === 'name' && i < 6; i++) if (c.is('static', i) || c.is('constexpr', i)) return true;
    return false;
  }

  private declaratorDefinition(templates: readonly TemplateParam[], isTemplate: boolean, start: number, owner: string | undefined): Def[] {
    const { c } = this;
    const launchBounds = this.launchBounds();
    let base = parseSpecifiers(this);
    if (!base) {
      this.toSemicolon();
      return [];
    }
    // A constructor reads as a type followed by parameters; a destructor begins with a tilde.
    if (owner !== undefined && base.name === owner && c.is('(')) {
      return this.functionRest({
        name: owner,
        nameStart: base.start,
        nameEnd: base.end,
        returns: base,
        templates,
        start,
        owner,
        launchBounds,
      });
    }
    const from = c.at;
    let pointers = 0;
    let reference = false;
    const quals = [...base.quals];
    for (;;) {
      if (c.is('*')) pointers++;
      else if (c.is('&') || c.is('&&')) reference = true;
      else if (
        c.peek().kind === 'name' &&
        [
          'const',
          '__restrict__',
          '__device__',
          '__host__',
          '__global__',
          '__forceinline__',
          '__inline__',
          'inline',
          '__noinline__',
          '__launch_bounds__',
          '__attribute__',
          'static',
          '__maxnreg__',
          'void',
        ].includes(c.text)
      ) {
        const word = c.text;
        if (word === '__launch_bounds__' || word === '__attribute__' || word === '__maxnreg__') {
          c.next();
          c.at = c.closing(c.at);
        } else if (word === 'void') base = { ...base, name: 'void' };
        else quals.push(word);
      } else break;
      c.next();
    }
    const token = c.peek();
    if (token.kind === 'name') {
      c.next();
      let name = token.text;
      while (c.is('::')) {
        c.next();
        name = `${name}::${c.next().text}`;
      }
      if (name.endsWith('operator') || token.text === 'operator') {
        name = 'operator';
        while (!c.done && (!c.is('(') || name === 'operator') && !c.is(';') && !c.is('{')) {
          name += c.next().text;
          if (name === 'operator(') name += c.next().text;
        }
      }
      let specialised: TypeArg[] | undefined;
      if (isTemplate && c.is('<')) specialised = parseTemplateArgs(this);
      if (c.is('(') && this.isParameterList()) {
        const returns = { ...base, quals, pointers, reference };
        return this.functionRest({
          name,
          nameStart: token.start,
          nameEnd: token.end,
          returns,
          templates,
          specialised,
          start,
          owner,
          launchBounds,
        });
      }
    }
    if (c.is('~') || token.text === '~') {
      this.skipMember();
      return [];
    }
    c.at = from;
    const declarators: Declarator[] = [];
    do {
      const d = this.declarator({ ...base, quals: base.quals });
      if (!d) break;
      declarators.push(d);
    } while (c.accept(','));
    this.toSemicolon();
    return declarators.length > 0 ? [{ d: 'variable', declarators, start, end: c.endBefore }] : [];
  }

  private skipMember(): void {
    const { c } = this;
    while (!c.done && !c.is(';') && !c.is('{') && !c.is('}')) c.next();
    if (c.is('{')) c.at = c.closing(c.at) + 1;
    c.accept(';');
  }

  /** Bounds may stand anywhere in the head; the specifiers skip them. */
  private launchBounds(): Expr[] | undefined {
    const { c } = this;
    for (let i = c.at; i < c.tokens.length && c.tokens[i].text !== '{' && c.tokens[i].text !== ';'; i++) {
      if (c.tokens[i].text !== '__launch_bounds__') continue;
      const from = c.at;
      c.at = i + 1;
      const args = this.args('(', ')');
      c.at = from;
      return args;
    }
    return undefined;
  }

  /** `f(int a)` against `dim3 grid(64)`: parameters begin with a type or are empty. */
  private isParameterList(): boolean {
    const { c } = this;
    const from = c.at;
    const close = c.closing(c.at);
    const after = c.tokens[close + 1]?.text;
    if (close === c.at + 1) return true;
    if (after === '{' || after === 'const' || after === 'noexcept' || after === '->' || after === 'override') return true;
    c.next();
    const type = parseSpecifiers(this);
    const answer =
      type !== undefined &&
      (c.peek().kind === 'name' ||
        ['*', '&', '&&', '...'].includes(c.text) ||
        ((c.is(',') || c.is(')')) && this.known.has(type.name)) ||
        / |^(int|float|double|char|void|bool|long)$/.test(type.name));
    c.at = from;
    return answer;
  }

  private functionRest(head: Omit<FunctionDef, 'd' | 'quals' | 'params' | 'body' | 'end'>): Def[] {
    const { c } = this;
    const params = this.parameters();
    while (!c.done && !c.is('{') && !c.is(';') && !c.is('}')) {
      if (c.is(':')) {
        this.constructorInitialisers();
        break;
      }
      if (c.is('(')) c.at = c.closing(c.at) + 1;
      else c.next();
    }
    const body = c.is('{') ? this.block() : undefined;
    if (!body) c.accept(';');
    return [{ d: 'function', ...head, quals: head.returns.quals, params, body, end: c.endBefore }];
  }

  private constructorInitialisers(): void {
    const { c } = this;
    c.next();
    while (!c.done && !c.is(';')) {
      while (c.peek().kind === 'name' || c.is('::') || c.is('<') || c.is('>')) c.next();
      if (c.is('(') || (c.is('{') && c.peek(-1).kind === 'name')) c.at = c.closing(c.at) + 1;
      else break;
      if (!c.accept(',')) break;
    }
  }
}

function isAlignment(token: Token | undefined): boolean {
  return token !== undefined && ['alignas', '__align__', '__attribute__', '__declspec'].includes(token.text);
}
