/** What definitions mean inside of others: as members of a structure, and among statements. */
import type { AggregateDef, AliasDef, Declarator, Def, Expr, FunctionDef, Node, Stmt } from './ast.ts';

/** The definitions inside a structure; filled while it is read. */
export interface Members {
  readonly fields: Declarator[];
  readonly methods: FunctionDef[];
  readonly constants: { readonly name: string; readonly value?: Expr }[];
  readonly aliases: AliasDef[];
}

export function newMembers(): Members {
  return { fields: [], methods: [], constants: [], aliases: [] };
}

/** `isStatic`: variables among them belong to the structure, not to its objects. */
export function addMembers(members: Members, defs: readonly Def[], isStatic: boolean): void {
  const { fields, methods, constants, aliases } = members;
  for (const def of defs) {
    if (def.d === 'function') methods.push(def);
    else if (def.d === 'alias') aliases.push(def);
    else if (def.d === 'variable') {
      if (isStatic) constants.push(...def.declarators.map((d) => ({ name: d.name, value: d.init ?? d.args?.[0] })));
      else fields.push(...def.declarators);
    } else if (def.d === 'aggregate') addNested(members, def);
  }
}

function addNested({ fields, constants }: Members, def: AggregateDef): void {
  if (def.kind === 'enum') constants.push(...def.constants);
  // An anonymous structure or union inside: its fields are ours.
  else if (def.name === '') fields.push(...def.fields);
}

/** Structures, aliases and variables among the statements of a function. */
export function definingStatement(defs: readonly Def[], place: Node): Stmt {
  const out = defs.flatMap((def): Stmt[] => {
    if (def.d === 'aggregate') return [{ k: 'aggregate', def, ...place }];
    if (def.d === 'alias') return [{ k: 'alias', def, ...place }];
    return def.d === 'variable' ? [{ k: 'decl', decls: def.declarators, ...place }] : [];
  });
  return asOne(out, place);
}

/** One statement where the syntax wants one; several (a label and what it marks) become a block. */
export function asOne(statements: readonly Stmt[], place: Node): Stmt {
  if (statements.length === 1) return statements[0];
  return statements.length === 0 ? { k: 'empty', ...place } : { k: 'block', body: statements, ...place };
}
