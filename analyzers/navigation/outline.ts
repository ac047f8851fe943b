/** What a file has to run: kernels, `main`, and functions that a kernel can be compared with. */
import type { CallableOutline, KernelOutline, Outline } from '../../protocol/finding.ts';
import type { FunctionDef, Param, TypeArg, TypeRef } from '../syntax/ast.ts';
import { rangeOf } from '../syntax/source.ts';
import type { NavigationInput } from './definitions.ts';

export function outlineOf({ model, source, lines }: NavigationInput): Outline {
  const own = new Set(source.items);
  const defined = [...model.table.functions.values()].flat().filter(({ def, item }) => def.body && own.has(item));
  const kernels = model.facts.kernels
    .filter((k) => model.owns(k.place))
    .map((k): KernelOutline => {
      const def = defined.find((each) => each.item === k.place.item && each.def.name === k.name)?.def;
      return {
        name: k.name,
        templates: (def?.templates ?? []).map(({ name, kind }) => ({ name, kind })),
        parameters: def ? parametersOf(def) : [],
        nameRange: rangeOf(k.namePlace, lines),
        range: rangeOf(k.place, lines),
        launches: k.launches
          .filter((l) => model.owns(l.place))
          .map((l) => ({ range: rangeOf(l.place, lines), grid: l.gridText || undefined, block: l.blockText || undefined })),
      };
    });
  const functions = defined
    .filter(({ def }) => isHostFunction(def))
    .map(({ def }): CallableOutline => ({ name: def.name, parameters: parametersOf(def) }));
  const main = model.facts.hostFunctions.find((f) => f.name === 'main');
  return { kernels, functions, main: main && rangeOf(main.namePlace, lines) };
}

function isHostFunction({ name, quals, owner, params }: FunctionDef): boolean {
  const isDevices = quals.includes('__global__') || (quals.includes('__device__') && !quals.includes('__host__'));
  return !isDevices && owner === undefined && name !== 'main' && params.length > 0;
}

function parametersOf({ params }: FunctionDef): CallableOutline['parameters'] {
  return params.map((param, index) => ({ name: param.name ?? `argument${index + 1}`, type: paramText(param) }));
}

/** As C++ writes it, without qualifiers that say nothing of what may be passed. */
function paramText({ type }: Param): string {
  const stars = '*'.repeat(type.pointers + (type.dims.length > 0 ? 1 : 0)) + (type.reference ? '&' : '');
  const constant = type.quals.includes('const') ? 'const ' : '';
  return `${constant}${typeText(type)}${stars === '' ? '' : ` ${stars}`}`;
}

function typeText({ name, targs }: TypeRef): string {
  return targs && targs.length > 0 ? `${name}<${targs.map(argumentText).join(', ')}>` : name;
}

function argumentText(argument: TypeArg): string {
  if (argument.type) return typeText(argument.type);
  return argument.value?.k === 'number' ? String(argument.value.value) : '?';
}
