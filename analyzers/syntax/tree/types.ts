/** Types, template arguments and declarators. */
import type { TemplateParam, TypeArg, TypeRef } from '../ast.ts';
import { basicName, isBasicType, isQualifier, isTypeName } from '../names.ts';
import { parameterAsArgument } from './arguments.ts';
import { type Context, endOf, firstToken, lastToken, spelling, startOf, tokenAt } from './context.ts';
import { declared } from './declarators.ts';
import { expression } from './expressions.ts';
import { F, K } from './kinds.ts';
import { childOfKind, childWithField, firstNamed } from './nodes.ts';

/** A name as written, without template arguments, and the arguments of its last part that has any. */
export interface QualifiedName {
  readonly name: string;
  readonly targs?: readonly TypeArg[];
}

export function qualifiedName(cx: Context, n: number): QualifiedName {
  const { nodes } = cx;
  let name = '';
  let targs: readonly TypeArg[] | undefined;
  // Long chains nest to the right: scope, then the rest.
  for (let at = n; at !== 0; ) {
    switch (nodes.kind[at]) {
      case K.qualified_identifier: {
        const scope = childWithField(nodes, at, F.scope);
        if (scope !== 0) {
          const part = qualifiedName(cx, scope);
          name = joined(name, part.name);
          targs = part.targs ?? targs;
        }
        at = childWithField(nodes, at, F.name);
        continue;
      }
      case K.template_function:
      case K.template_type:
      case K.template_method: {
        const list = childWithField(nodes, at, F.arguments);
        if (list !== 0) targs = templateArgs(cx, list);
        at = childWithField(nodes, at, F.name);
        continue;
      }
      case K.dependent_name:
      case K.dependent_type:
        at = firstNamed(nodes, at);
        continue;
      case K.identifier:
      case K.field_identifier:
      case K.type_identifier:
      case K.namespace_identifier:
      case K.primitive_type:
        return { name: joined(name, wordAt(cx, at)), targs };
      default:
        return { name: joined(name, spelling(cx, at)), targs };
    }
  }
  return { name, targs };
}

function joined(scope: string, name: string): string {
  return scope === '' ? name : `${scope}::${name}`;
}

/** The name as the file spells it, whatever the layout made of it. */
export function wordAt(cx: Context, n: number): string {
  const index = firstToken(cx, n);
  const token = cx.layout.tokens[index];
  return cx.layout.renamed.get(index) ?? (token?.kind === 'punct' ? '' : token?.text) ?? '';
}

export function templateArgs(cx: Context, list: number): TypeArg[] {
  const { nodes } = cx;
  const args: TypeArg[] = [];
  const last = nodes.after[list];
  for (let n = list + 1; n < last; n = nodes.after[n]) {
    const kind = nodes.kind[n];
    if (kind === K.token || kind === K.ERROR) continue;
    args.push(templateArg(cx, kind === K.parameter_pack_expansion ? firstNamed(nodes, n) || n : n));
  }
  return args;
}

function templateArg(cx: Context, n: number): TypeArg {
  const kind = cx.nodes.kind[n];
  if (kind === K.identifier || kind === K.template_function || kind === K.qualified_identifier)
    return { type: typeOfNode(cx, n), value: expression(cx, n) };
  if (kind !== K.type_descriptor) return { value: expression(cx, n) };
  const type = typeDescriptor(cx, n);
  if (childOfKind(cx.nodes, n, K.abstract_function_declarator) !== 0)
    return isTypeName(type.name, cx.layout.known) ? { type } : { value: parameterAsArgument(cx, n) };
  // A lone name may be either a type or a value; both readings are kept.
  const single = type.quals.length === 0 && type.pointers === 0 && !type.reference && !isBasicType(type.name) && !type.name.includes(' ');
  if (!single || type.dims.length > 0 || type.name === 'decltype') return { type };
  return { type, value: { k: 'name', name: type.name, targs: type.targs, start: type.start, end: type.end } };
}

/** A type without a declared name: of a cast, `sizeof`, a template argument. */
export function typeDescriptor(cx: Context, n: number): TypeRef {
  const base = specifiers(cx, n) ?? namelessType(cx, n);
  const declarator = childWithField(cx.nodes, n, F.declarator);
  return declarator === 0 ? base : { ...declared(cx, base, declarator).type, start: base.start, end: endOf(cx, n) };
}

/** For a node that stands where a type does, type descriptor or not. */
export function typeOfNode(cx: Context, n: number): TypeRef {
  if (cx.nodes.kind[n] === K.type_descriptor) return typeDescriptor(cx, n);
  const base = baseType(cx, n);
  return { ...base, pointers: 0, reference: false, dims: [], start: startOf(cx, n), end: endOf(cx, n) };
}

export function namedType(name: string, targs: readonly TypeArg[] | undefined, start: number, end: number): TypeRef {
  return { name, targs, pointers: 0, reference: false, dims: [], quals: [], start, end };
}

function namelessType(cx: Context, n: number): TypeRef {
  return namedType('', undefined, startOf(cx, n), endOf(cx, n));
}

const AGGREGATES: ReadonlySet<number> = new Set([K.struct_specifier, K.class_specifier, K.union_specifier, K.enum_specifier]);

export function isAggregate(kind: number): boolean {
  return AGGREGATES.has(kind);
}

/**
 * The specifiers among the children of a declaration: qualifiers and the type. Undefined where there is no type, as of constructors;
 * `orQualifiers` then still brings the qualifiers.
 */
export function specifiers(cx: Context, parent: number, options: { readonly orQualifiers?: boolean } = {}): TypeRef | undefined {
  const { nodes } = cx;
  const quals: string[] = [];
  let base: BaseType | undefined;
  let first = 0;
  let end = 0;
  const last = nodes.after[parent];
  for (let n = parent + 1; n < last; n = nodes.after[n]) {
    const kind = nodes.kind[n];
    addLateSpecifiers(cx, n, quals);
    if (nodes.field[n] === F.declarator || kind === K.function_declarator) break;
    if (nodes.field[n] === F.type) {
      base = baseType(cx, n);
      quals.push(...base.quals);
    } else if (
      kind === K.token ||
      kind === K.type_qualifier ||
      kind === K.storage_class_specifier ||
      kind === K.virtual ||
      kind === K.explicit_function_specifier
    ) {
      const word = tokenAt(cx, n).text;
      if (!isQualifier(word)) continue;
      quals.push(word);
    } else continue;
    if (first === 0) first = n;
    // Tokens out of a macro may stand before those of its arguments.
    end = Math.max(end, endOf(cx, n));
  }
  if (!base && !options.orQualifiers) return undefined;
  const start = first === 0 ? startOf(cx, parent) : startOf(cx, first);
  return { name: base?.name ?? '', targs: base?.targs, pointers: 0, reference: false, dims: [], quals, start, end: Math.max(start, end) };
}

/** Those directly before a node, which has none itself. */
function addLateSpecifiers(cx: Context, n: number, quals: string[]): void {
  const { lateSpecifiers, tokens } = cx.layout;
  if (lateSpecifiers.size === 0) return;
  for (let i = firstToken(cx, n) - 1; i >= 0 && lateSpecifiers.has(i); i--) quals.push(tokens[i].text);
}

interface BaseType extends QualifiedName {
  readonly quals: readonly string[];
}

function baseType(cx: Context, n: number): BaseType {
  const { nodes } = cx;
  switch (nodes.kind[n]) {
    case K.primitive_type:
      return { name: basicName([wordAt(cx, n)]), quals: [] };
    case K.sized_type_specifier:
      return sizedType(cx, n);
    case K.placeholder_type_specifier:
      return { name: spelling(cx, n).startsWith('decltype') ? 'decltype' : 'auto', quals: [] };
    case K.decltype:
      return { name: 'decltype', quals: [] };
    case K.dependent_type: {
      const inner = baseType(cx, firstNamed(nodes, n) || n + 1);
      return { ...inner, quals: ['typename', ...inner.quals] };
    }
    case K.struct_specifier:
    case K.class_specifier:
    case K.union_specifier:
    case K.enum_specifier: {
      const name = childWithField(nodes, n, F.name);
      return { ...(name === 0 ? { name: '' } : qualifiedName(cx, name)), quals: [tokenAt(cx, n).text] };
    }
    default: {
      const { name, targs } = qualifiedName(cx, n);
      return { name: isBasicType(name) ? basicName([name]) : name, targs, quals: [] };
    }
  }
}

function sizedType(cx: Context, n: number): BaseType {
  const words: string[] = [];
  const quals: string[] = [];
  const last = lastToken(cx, n);
  for (let i = firstToken(cx, n); i <= last; i++) {
    const { text } = cx.layout.tokens[i];
    if (isQualifier(text)) quals.push(text);
    else words.push(text);
  }
  return { name: basicName(words), quals };
}

export function templateParams(cx: Context, list: number): TemplateParam[] {
  const { nodes } = cx;
  const params: TemplateParam[] = [];
  const last = nodes.after[list];
  for (let n = list + 1; n < last; n = nodes.after[n]) {
    const param = templateParam(cx, n);
    if (param) params.push(param);
  }
  return params;
}

function templateParam(cx: Context, n: number): TemplateParam | undefined {
  const { nodes } = cx;
  switch (nodes.kind[n]) {
    case K.type_parameter_declaration:
    case K.variadic_type_parameter_declaration:
    case K.optional_type_parameter_declaration: {
      const name = childWithField(nodes, n, F.name) || childOfKind(nodes, n, K.type_identifier);
      const fallback = childWithField(nodes, n, F.default_type);
      return {
        name: name === 0 || name === fallback ? '' : wordAt(cx, name),
        kind: 'type',
        pack: nodes.kind[n] === K.variadic_type_parameter_declaration,
        init: fallback === 0 ? undefined : { type: typeOfNode(cx, fallback) },
      };
    }
    case K.template_template_parameter_declaration: {
      const last = nodes.after[n];
      for (let c = n + 1; c < last; c = nodes.after[c]) {
        if (nodes.kind[c] === K.template_parameter_list) continue;
        const param = templateParam(cx, c);
        if (param) return param;
      }
      return undefined;
    }
    case K.parameter_declaration:
    case K.optional_parameter_declaration:
    case K.variadic_parameter_declaration: {
      const base = specifiers(cx, n);
      if (!base) return undefined;
      const declarator = childWithField(nodes, n, F.declarator);
      const full = declarator === 0 ? undefined : declared(cx, base, declarator);
      const value = childWithField(nodes, n, F.default_value);
      return {
        name: full && full.name !== 0 ? wordAt(cx, full.name) : '',
        kind: 'value',
        type: full?.type ?? base,
        pack: nodes.kind[n] === K.variadic_parameter_declaration,
        init: value === 0 ? undefined : { value: expression(cx, value) },
      };
    }
    default:
      return undefined;
  }
}
