/**
 * Modules of the driver API: the device code of the program's own files. A file of machine code that stands for one, such as
 * `saxpy.fatbin` for saxpy.cu, is given to the program when it opens it and has none: it holds a name by which the module is known again.
 */
import type { Functions } from './cuda-context.ts';
import type { DriverParts } from './cuda-driver.ts';
import { CUDA } from './cuda-errors.ts';
import type { DeviceUnit } from './device-program.ts';

/** How the image of a module begins. */
const IMAGE = 'lanewise module ';
const COMPILED = /\.(ptx|cubin|fatbin)$/;
const FILE_NOT_FOUND = 301;
const INVALID_IMAGE = 200;
const NOT_FOUND = 500;

export class DriverModules {
  readonly #units: readonly DeviceUnit[];
  readonly #names: readonly string[];

  /** `names`: of the units' files, without folders and extensions. */
  constructor(units: readonly DeviceUnit[], names: readonly string[]) {
    this.#units = units;
    this.#names = names;
  }

  /** What a file of compiled code of that name holds, if it stands for one of the program's: names may go on, as in saxpy_sm90.cubin. */
  imageOf(path: string): string | undefined {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (!COMPILED.test(name)) return undefined;
    const index = this.#names.findIndex((each) => name.startsWith(each));
    return index < 0 ? undefined : `${IMAGE}${index}\n`;
  }

  imageOfUnit(unit: DeviceUnit): string {
    return `${IMAGE}${this.#units.indexOf(unit)}\n`;
  }

  /** By an image; undefined for code of another compiler. */
  unitOf(image: string): DeviceUnit | undefined {
    return image.startsWith(IMAGE) ? this.#units[Number(image.slice(IMAGE.length).trim())] : undefined;
  }
}

export function moduleCalls({ launches, kernels, modules }: DriverParts): Functions {
  const { context, streams } = launches;
  const { host } = context;
  const loaded = new Map<number, DeviceUnit>();
  const load = (out: number, image: string, call: string): number => {
    const unit = modules.unitOf(image);
    if (!unit) {
      context.notSupported.set(call, 'a compiler of PTX or machine code: it runs kernels of the .cu files that it is given');
      return INVALID_IMAGE;
    }
    const handle = streams.newHandle();
    loaded.set(handle, unit);
    host.setU64(out, handle);
    return CUDA.Success;
  };
  const loadData = (call: string) => (out: number, image: number) => load(out, host.text(image), call);
  return {
    cuModuleLoad: (out, path) => {
      const image = modules.imageOf(host.text(path));
      return image === undefined ? FILE_NOT_FOUND : load(out, image, 'cuModuleLoad');
    },
    cuModuleLoadData: loadData('cuModuleLoadData'),
    cuModuleLoadDataEx: loadData('cuModuleLoadDataEx'),
    cuModuleLoadFatBinary: loadData('cuModuleLoadFatBinary'),
    cuModuleUnload: (handle) => (loaded.delete(handle) ? CUDA.Success : CUDA.InvalidResourceHandle),
    cuModuleGetFunction: (out, handle, nameAt) => {
      const unit = loaded.get(handle);
      if (!unit) return CUDA.InvalidResourceHandle;
      const name = host.text(nameAt);
      const { functions, unsupported } = unit.module.ir;
      if (!functions.get(name) && !unsupported.has(name)) return NOT_FOUND;
      const known = [...kernels].find(([, kernel]) => kernel.unit === unit && kernel.name === name);
      const made = known?.[0] ?? streams.newHandle();
      if (!known) kernels.set(made, { name, unit });
      host.setU64(out, made);
      return CUDA.Success;
    },
    cuModuleGetGlobal: (out, bytesOut, handle, nameAt) => {
      const unit = loaded.get(handle);
      if (!unit) return CUDA.InvalidResourceHandle;
      const name = host.text(nameAt);
      const [address, global] = [unit.module.addresses.get(name), unit.module.ir.globals.get(name)];
      if (address === undefined || !global) return NOT_FOUND;
      if (out !== 0) host.setU64(out, address);
      if (bytesOut !== 0) host.setU64(bytesOut, global.sizeBytes);
      return CUDA.Success;
    },
    cuLinkCreate: () => {
      context.notSupported.set('cuLinkCreate', 'a linker of device code');
      return CUDA.NotSupported;
    },
  };
}
