/** What the names in a file mean, for an editor that colours them: kernels, device functions, types, parameters, macros, CUDA's variables. */
import type { NameKind, NameToken } from '../../protocol/finding.ts';
import type { FunctionDef } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { rangeOf } from '../syntax/source.ts';
import type { NavigationInput } from './definitions.ts';

const CUDA_VARIABLES = new Set(['threadIdx', 'blockIdx', 'blockDim', 'gridDim', 'warpSize']);

/** In the order of the text. Names about which nothing is known are left out. */
export function nameTokens({ model, source, lines }: NavigationInput): NameToken[] {
  const { functions, aggregates, aliases, constants, macros } = model.table;
  const definedIn = new Map<Item, FunctionDef[]>();
  for (const { def, item } of [...functions.values()].flat()) definedIn.set(item, [...(definedIn.get(item) ?? []), def]);
  for (const { def, item } of aggregates.values()) definedIn.set(item, [...(definedIn.get(item) ?? []), ...def.methods]);
  const global = (name: string): NameKind | undefined => {
    if (CUDA_VARIABLES.has(name)) return 'cuda';
    if (macros.has(name)) return 'macro';
    const [entry] = functions.get(name) ?? [];
    if (entry)
      return entry.def.quals.includes('__global__') ? 'kernel' : entry.def.quals.includes('__device__') ? 'device-function' : 'function';
    if (aggregates.has(name) || aliases.has(name)) return 'type';
    return constants.has(name) ? 'constant' : undefined;
  };
  return source.items
    .filter(({ kind }) => kind === 'declaration')
    .flatMap((item) => {
      const around = definedIn.get(item) ?? [];
      return item.tokens.flatMap((token, index) => {
        if (token.kind !== 'name') return [];
        const isMember = /^(\.|->)$/.test(item.tokens[index - 1]?.text ?? '');
        const kind = isMember ? 'member' : (local(token.text, token.start, around) ?? global(token.text));
        return kind ? [{ kind, range: rangeOf({ item, start: token.start, end: token.end }, lines) }] : [];
      });
    });
}

function local(name: string, at: number, around: readonly FunctionDef[]): NameKind | undefined {
  const within = around.filter(({ start, end }) => start <= at && at < end);
  if (within.some(({ templates }) => templates.some((each) => each.name === name && each.kind === 'type'))) return 'type';
  return within.some(({ params }) => params.some((each) => each.name === name)) ? 'parameter' : undefined;
}
