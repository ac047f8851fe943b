/**
 * Device memory that a function allocates, and that nothing gives a value before the first kernel gets it. By the names of variables, as in
 * uncopied.ts; what the kernel does with it is for the kernel to say.
 */
import type { Expr, Node } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { addressed, isDeclared, isOpenAt, isPlainLaunch, launchesGiven } from './uncopied.ts';
import type { RawHostCall, RawLaunch } from './values.ts';

export interface Unset {
  readonly device: string;
  /** Its bytes, as they stand in the call that allocates it. */
  readonly size: Expr;
  /** Launches that are given the memory, the first of them first. */
  readonly launches: readonly { readonly launch: RawLaunch; readonly argument: number }[];
}

export function unsetOf(item: Item, def: Node, calls: readonly RawHostCall[]): Unset[] {
  if (!calls.some(isPlainLaunch)) return [];
  const allocations = calls.filter(({ name, args }) => name === 'cudaMalloc' && args.length > 1);
  if (allocations.length === 0) return [];
  const places = calls.flatMap((call) => unwritingArguments(call));
  return allocations.flatMap(({ args }) => {
    const device = addressed(args[0].node);
    if (device === undefined || allocations.filter((other) => addressed(other.args[0].node) === device).length > 1) return [];
    const isKnown = (i: number) => {
      const { start, end } = item.tokens[i];
      return isDeclared(item.tokens, i) || places.some((place) => start >= place.start && end <= place.end);
    };
    const uses = indicesOf(item, def, device);
    // Other functions get at what is not declared here.
    if (!uses.every(isKnown) || !uses.some((i) => isDeclared(item.tokens, i))) return [];
    const given = launchesGiven(device, calls);
    // The size is named in what is to clear it.
    const isSeen = given.length > 0 && isOpenAt(item.tokens, args[1].node.end, given[0].launch.moment.place.start);
    return isSeen ? [{ device, size: args[1].node, launches: given }] : [];
  });
}

function indicesOf({ tokens }: Item, { start, end }: Node, name: string): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < tokens.length && tokens[i].end <= end; i++) if (tokens[i].text === name && tokens[i].start >= start) found.push(i);
  return found;
}

/** Of a call that allocates, frees or launches, or what a copy reads. */
function unwritingArguments({ name, args, launch }: RawHostCall): readonly Expr[] {
  const nodes = (launch?.args ?? args).map(({ node }) => node);
  if (launch) return nodes;
  if (/^cuda(Malloc|Free)(Async)?$/.test(name)) return nodes.slice(0, 1);
  return /^cudaMemcpy(Async)?$/.test(name) ? nodes.slice(1, 2) : [];
}
