/** Arguments that read as parameters: `dim3 grid(n, f(m))` could declare a function, and for the grammar it does. */
import type { Expr } from '../ast.ts';
import { isTypeName, NAMED_CAST } from '../names.ts';
import { type Context, endOf, placeOf, tokenAt, unknownAt } from './context.ts';
import { expression } from './expressions.ts';
import { F, K } from './kinds.ts';
import { childrenOf, childWithField, firstNamed } from './nodes.ts';
import { qualifiedName, typeOfNode } from './types.ts';

export function parametersAsArguments(cx: Context, list: number): Expr[] {
  return childrenOf(cx.nodes, list)
    .filter((n) => cx.nodes.kind[n] !== K.token && cx.nodes.kind[n] !== K.ERROR)
    .map((n) => (cx.nodes.kind[n] === K.parameter_declaration ? parameterAsArgument(cx, n) : expression(cx, n)));
}

/** A parameter that is an argument in truth: `dim3 grid(n, m)` reads as the declaration of a function. */
export function parameterAsArgument(cx: Context, n: number): Expr {
  const { nodes } = cx;
  const type = childWithField(nodes, n, F.type);
  if (type === 0) return unknownAt(cx, n);
  const declarator = childWithField(nodes, n, F.declarator);
  const head: Expr = { k: 'name', ...qualifiedName(cx, type), ...placeOf(cx, type) };
  return declarator === 0 ? head : declaratorAsOperand(cx, head, type, declarator);
}

/** `n * m`, `f(x)`, `a[3]` as they read behind a type: with `n`, `f` and `a` as the type. */
function declaratorAsOperand(cx: Context, head: Expr, type: number, declarator: number): Expr {
  const { nodes } = cx;
  const inner = childWithField(nodes, declarator, F.declarator) || firstNamed(nodes, declarator);
  const end = endOf(cx, declarator);
  switch (nodes.kind[declarator]) {
    case K.pointer_declarator:
    case K.reference_declarator: {
      if (inner === 0) return unknownAt(cx, declarator);
      const b = declaratorAsExpression(cx, inner);
      return { k: 'binary', op: tokenAt(cx, declarator).text, a: head, b, start: head.start, end };
    }
    case K.abstract_function_declarator: {
      const list = childWithField(nodes, declarator, F.parameters);
      const args = list === 0 ? [] : parametersAsArguments(cx, list);
      const callee = childWithField(nodes, declarator, F.declarator);
      const f = callee === 0 ? head : declaratorAsOperand(cx, head, type, callee);
      if (callee === 0 && head.k === 'name') {
        if (NAMED_CAST.test(head.name) && head.targs?.[0]?.type)
          return { k: 'cast', type: head.targs[0].type, a: args[0] ?? f, style: head.name, start: head.start, end };
        if (isTypeName(head.name, cx.layout.known))
          return { k: 'construct', type: typeOfNode(cx, type), args, braced: false, start: head.start, end };
      }
      return { k: 'call', f, args, start: head.start, end };
    }
    case K.abstract_array_declarator: {
      const size = childWithField(nodes, declarator, F.size);
      const array = childWithField(nodes, declarator, F.declarator);
      const a = array === 0 ? head : declaratorAsOperand(cx, head, type, array);
      return { k: 'index', a, i: size === 0 ? unknownAt(cx, declarator) : expression(cx, size), start: head.start, end };
    }
    default:
      return unknownAt(cx, declarator);
  }
}

function declaratorAsExpression(cx: Context, n: number): Expr {
  const { nodes } = cx;
  const inner = childWithField(nodes, n, F.declarator) || firstNamed(nodes, n);
  switch (nodes.kind[n]) {
    case K.function_declarator: {
      const list = childWithField(nodes, n, F.parameters);
      const f = inner === 0 ? unknownAt(cx, n) : declaratorAsExpression(cx, inner);
      return { k: 'call', f, args: list === 0 ? [] : parametersAsArguments(cx, list), ...placeOf(cx, n) };
    }
    case K.array_declarator: {
      const size = childWithField(nodes, n, F.size);
      const a = inner === 0 ? unknownAt(cx, n) : declaratorAsExpression(cx, inner);
      return { k: 'index', a, i: size === 0 ? unknownAt(cx, n) : expression(cx, size), ...placeOf(cx, n) };
    }
    case K.pointer_declarator:
    case K.reference_declarator:
      return inner === 0
        ? unknownAt(cx, n)
        : { k: 'unary', op: tokenAt(cx, n).text, a: declaratorAsExpression(cx, inner), ...placeOf(cx, n) };
    case K.parenthesized_declarator:
      return inner === 0 ? unknownAt(cx, n) : { ...declaratorAsExpression(cx, inner), ...placeOf(cx, n) };
    default:
      return expression(cx, n);
  }
}
