/** What a library's handle is set to, one Set and one Get function each. */
import type { Functions } from '../cuda-context.ts';
import type { HostMemory } from '../host-memory.ts';

export interface HandleSettings<Name extends string> {
  /** Of the functions: `cublas`. */
  readonly library: string;
  readonly host: HostMemory;
  readonly handles: ReadonlyMap<number, Record<Name, number>>;
  /** The library's status for a handle that is none. */
  readonly notInitialized: number;
}

/** `cublasSetStream(handle, value)` and `cublasGetStream(handle, &value)` for `stream`, whose value has 4 or 8 bytes. */
export function settingCalls<Name extends string>(
  { library, host, handles, notInitialized }: HandleSettings<Name>,
  name: Name,
  bytes: 4 | 8,
): Functions {
  const label = name[0].toUpperCase() + name.slice(1);
  return {
    [`${library}Set${label}`]: (id, value) => {
      const handle = handles.get(id);
      if (!handle) return notInitialized;
      handle[name] = value;
      return 0;
    },
    [`${library}Get${label}`]: (id, out) => {
      const handle = handles.get(id);
      if (!handle) return notInitialized;
      if (bytes === 8) host.setU64(out, handle[name]);
      else host.setU32(out, handle[name]);
      return 0;
    },
  };
}
