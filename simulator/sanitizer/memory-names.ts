/** How findings name memory: as a variable or an allocation, with the number of the element. */
import { CLUSTER_WINDOW_BYTES, LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { sizeOf } from '../ir/layout.ts';
import type { GlobalVariable, Type } from '../ir/types.ts';
import type { DeviceMemory } from '../machine/device-memory.ts';
import { externSharedOffset, isExternShared, type LoadedModule } from '../machine/load-module.ts';

export interface NamedMemory {
  readonly space: 'shared' | 'global' | 'local';
  /** "tile[3]", "element 5 of cudaMalloc no. 2". */
  readonly text: string;
}

export interface NamingParts {
  readonly module: LoadedModule;
  readonly memory: DeviceMemory;
  readonly kernel: string;
}

/** "tile[3] in shared memory"; what has no name says where it is itself. */
export function inMemory({ space, text }: NamedMemory): string {
  return text.includes(`${space} memory`) ? text : `${text} in ${space} memory`;
}

/** `bytes`: of the access, which says what an element of an allocation is. */
export function nameOf(address: number, bytes: number, parts: NamingParts): NamedMemory {
  if (address >= SHARED_BASE) {
    const offset = address - SHARED_BASE;
    const text = nameOfShared(offset % CLUSTER_WINDOW_BYTES, parts);
    const rank = Math.floor(offset / CLUSTER_WINDOW_BYTES) - 1;
    return { space: 'shared', text: rank < 0 ? text : `${text} of block ${rank} of the cluster` };
  }
  if (address >= LOCAL_BASE) return { space: 'local', text: `byte ${address - LOCAL_BASE} of the thread's local memory` };
  return { space: 'global', text: nameOfGlobal(address, bytes, parts) };
}

function nameOfShared(offset: number, { module, kernel }: NamingParts): string {
  const extern = externSharedOffset(module, kernel);
  const statics = module.sharedBytes.get(kernel) ?? 0;
  for (const variable of module.ir.globals.values()) {
    if (variable.space !== 3) continue;
    const start = isExternShared(variable) ? extern : (module.addresses.get(variable.name) ?? 0);
    if (isExternShared(variable) ? offset >= start : offset >= start && offset < start + variable.sizeBytes && offset < statics) {
      if (belongsTo(variable, kernel, module)) return elementOf(variable, offset - start);
    }
  }
  return `byte ${offset} of shared memory`;
}

/** Variables of other kernels lie at the same offsets; those of functions that a kernel calls are its own. */
function belongsTo({ name }: GlobalVariable, kernel: string, { ir }: LoadedModule): boolean {
  const owner = functionNamed(name, '_ZZ');
  if (owner === undefined || owner === functionNamed(kernel, '_Z')) return true;
  return ![...ir.functions.values()].some((each) => each.isKernel && functionNamed(each.name, '_Z') === owner);
}

/** `kernel` of `_Z6kernelPf`, and of its variable `_ZZ6kernelPfE4tile`. */
function functionNamed(mangled: string, prefix: string): string | undefined {
  const digits = mangled.startsWith(prefix) ? /^\d+/.exec(mangled.slice(prefix.length))?.[0] : undefined;
  const start = prefix.length + (digits?.length ?? 0);
  return digits && mangled.slice(start, start + Number(digits));
}

function nameOfGlobal(address: number, bytes: number, { module, memory }: NamingParts): string {
  const allocation = memory.find(address, 1);
  if (!allocation) return `0x${address.toString(16)}`;
  const offset = address - allocation.address;
  const variable = [...module.ir.globals.values()].find(
    ({ name, space }) => space !== 3 && module.addresses.get(name) === allocation.address,
  );
  if (variable) return elementOf(variable, offset);
  const size = Math.max(1, bytes);
  const element = offset % size === 0 ? `element ${offset / size}` : `byte ${offset}`;
  return `${element} of ${allocation.label} (${allocation.sizeBytes} bytes)`;
}

function elementOf({ name, type }: GlobalVariable, offset: number): string {
  let text = sourceName(name);
  let at: Type = type;
  let rest = offset;
  while (at.kind === 'array') {
    const size = sizeOf(at.element);
    if (size === 0) break;
    text += `[${Math.floor(rest / size)}]`;
    rest %= size;
    at = at.element;
  }
  return rest === 0 ? text : `${text}, byte ${rest}`;
}

/** The last name in a mangled one: what the source calls a variable. Parts that Clang has made of one (`.0`) are that one. */
export function sourceName(name: string): string {
  const mangled = name.replace(/(\.\d+)+$/, '');
  if (!mangled.startsWith('_Z')) return mangled.replace(/^.*::/, '');
  const tail = mangled.replace(/_\d*$/, '');
  for (let digits = 1; digits <= 3; digits++) {
    for (let at = tail.length - digits - 1; at >= 2; at--) {
      const length = Number(tail.slice(at, at + digits));
      if (/^\d+$/.test(tail.slice(at, at + digits)) && length === tail.length - at - digits && /^[A-Za-z_]/.test(tail.slice(at + digits))) {
        return tail.slice(at + digits);
      }
    }
  }
  return mangled;
}
