/** Where an interpretation stands: the functions that it is in, their scopes, and the branches and loops around. */
import type { Node } from '../syntax/ast.ts';
import type { Place } from '../syntax/source.ts';
import type { Entry, Frame, PathStep, RawLoop, Scope } from './values.ts';

/** Where the interpretation stands: functions, their scopes, the branches and loops around. */
export interface Frames {
  frames: Frame[];
  path: readonly PathStep[];
  loops: readonly RawLoop[];
  /** The innermost statement of a block. */
  statement: Node | undefined;
}

export function newFrames(): Frames {
  return { frames: [], path: [], loops: [], statement: undefined };
}

export function frameOf(m: Frames): Frame {
  return m.frames[m.frames.length - 1];
}

export function placeOf(m: Frames, node: Node): Place {
  return { item: frameOf(m).item, start: node.start, end: node.end };
}

export function declare(m: Frames, name: string, entry: Entry): void {
  const { scopes } = frameOf(m);
  const top = scopes.length - 1;
  const scope = scopes[top] ?? new Map<string, Entry>();
  scopes[top] = scope;
  scope.set(name, entry);
}

export function withScope<T>(m: Frames, body: () => T): T {
  const { scopes } = frameOf(m);
  // Most blocks declare nothing; those that do make the scope.
  scopes.push(undefined);
  const result = body();
  scopes.pop();
  return result;
}

/** The scopes around a lambda as it sees them, with what they declare later. */
export function capturedScopes(m: Frames): Scope[] {
  const { scopes } = frameOf(m);
  for (let i = 0; i < scopes.length; i++) scopes[i] ??= new Map();
  return [...scopes] as Scope[];
}

export function findLocal(m: Frames, name: string): Entry | undefined {
  const { scopes } = frameOf(m);
  for (let i = scopes.length - 1; i >= 0; i--) {
    const entry = scopes[i]?.get(name);
    if (entry) return entry;
  }
  return undefined;
}

export function newScope(): Scope {
  return new Map();
}
