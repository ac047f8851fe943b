/** The CUDA runtime given anything: null, freed, device and wild pointers, negative and huge sizes. It answers, or the program faults. */
import { expect, it } from 'vitest';
import { deviceNamed } from '../../devices/devices.ts';
import { createInterpreter } from '../../simulator/interpreter/interpreter.ts';
import { ProgramClock } from '../../simulator/runtime/clock/program-clock.ts';
import { CudaContext } from '../../simulator/runtime/cuda-context.ts';
import { cudaFunctions } from '../../simulator/runtime/cuda-functions.ts';
import { DeviceProgram } from '../../simulator/runtime/device-program.ts';
import { DriverModules } from '../../simulator/runtime/driver-modules.ts';
import { HostMemory } from '../../simulator/runtime/host-memory.ts';
import { ProgramExit, ProgramFault } from '../../simulator/runtime/linux/errors.ts';
import { machine } from '../interpreter/engine-harness.ts';
import { textReport } from '../runtime/simulation.ts';

const KERNEL = `
@variable = addrspace(1) global [64 x i8] zeroinitializer
define ptx_kernel void @kernel(ptr %p, i32 %n) {
  ret void
}
`;
/** Where the host program keeps what the registration of its kernel names. */
const AT = { stub: 0x2000, name: 0x2100, wrapper: 0x2200, shadow: 0x2300, variable: 0x2400, valid: 0x3000 };
/** What Clang's own code calls, with handles of its own. */
const REGISTRATION = /^__cuda(Register|Unregister|InitModule)/;

function runtime() {
  const { memory, module, engine } = machine(createInterpreter, KERNEL);
  const host = new HostMemory(memory.line);
  let top = 0x8000;
  host.attach(new WebAssembly.Memory({ initial: 4, maximum: 65536 }), (sizeBytes) => {
    top += sizeBytes;
    return top - sizeBytes;
  });
  const device = deviceNamed('h200')!;
  const context = new CudaContext({ host, memory, devices: [device], clock: new ProgramClock([device]), printed() {}, asserted() {} });
  const program = new DeviceProgram({ units: [{ module, engine }], context, everyLaunch: false, starting() {}, finished() {} });
  const modules = new DriverModules(program.units, ['kernels']);
  const compiler = { compile: () => ({ log: '' }), add: () => program.units[0] };
  const functions = cudaFunctions(context, program, { callHost: () => 0, modules, compiler });
  functions.cuInit(0);
  functions.MPI_Init(0, 0);
  host.write(AT.name, new TextEncoder().encode('kernel\0'));
  host.write(AT.variable, new TextEncoder().encode('variable\0'));
  const handle = functions.__cudaRegisterFatBinary(AT.wrapper)!;
  functions.__cudaRegisterFunction(handle, AT.stub, AT.name, AT.name);
  functions.__cudaRegisterVar(handle, AT.shadow, AT.variable, AT.variable, 0, 64);
  functions.cudaMalloc(AT.valid, 4096);
  functions.cudaMallocManaged(AT.valid + 8, 4096);
  functions.cudaStreamCreate(AT.valid + 16);
  functions.cudaEventCreate(AT.valid + 24);
  const handles = [0, 8, 16, 24].map((offset) => host.u64(AT.valid + offset));
  return { functions, context, values: [...handles, ...VALUES, host.sizeBytes - 4] };
}

const VALUES = [
  ...[0, 0, 1, 2, 3, 4, 8, 64, 1023, 1024, 4096, 1 << 20, 0x7fffffff, 0xdeadbeef, 0xffffffff, 2 ** 40, 2 ** 60, 2 ** 63],
  ...[-1, -8, -4096, -(2 ** 40), -(2 ** 63)],
  ...Object.values(AT),
];

const CALLS = 100;

/** Errors of MPI end the program, too, and one rank alone waits for ever. */
function faultOf(name: string): RegExp {
  return name.startsWith('MPI_')
    ? new RegExp(`^(segmentation fault: |no rank can go on: .*)?${name}\\b`, 's')
    : new RegExp(`^segmentation fault: ${name} `);
}

/** The same numbers in every run. */
function dice(): (sides: number) => number {
  let state = 12345;
  return (sides) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const { functions: all } = runtime();
it.each(Object.keys(all).filter((name) => !REGISTRATION.test(name)))('%s', (name) => {
  const thrown = dice();
  let { functions, context, values } = runtime();
  for (let k = 0; k < CALLS; k++) {
    const args = Array.from({ length: 9 }, () => values[thrown(values.length)]);
    try {
      const code = functions[name](...args);
      expect(typeof code === 'number' || code === undefined).toBe(true);
    } catch (error) {
      if (error instanceof ProgramExit && /^(MPI_Abort|glutMainLoop(Event)?)$/.test(name)) continue;
      if (!(error instanceof ProgramFault)) throw new Error(`${name}(${args.join(', ')})`, { cause: error });
      expect(error.message).toMatch(faultOf(name));
    }
    if (context.isDead) ({ functions, context, values } = runtime());
  }
});

it('a null pointer for a result is an invalid value', () => {
  const { functions } = runtime();
  for (const name of [
    'cudaMemGetInfo',
    'cudaMalloc',
    'cudaGetDevice',
    'cudaPointerGetAttributes',
    'cudaDeviceGetLimit',
    'cudaStreamCreate',
  ]) {
    expect([name, functions[name](0, 0, 0)]).toEqual([name, 1]);
  }
  expect(functions.cudaGetLastError()).toBe(1);
});

it('a wild pointer ends the program at the call, which the report names', async () => {
  const text = (pointer: string) => `#include <cstdio>
    int main() {
      int* device;
      cudaMalloc(&device, 64);
      printf("before\\n");
      cudaMemGetInfo((size_t*)${pointer}, (size_t*)device);
      printf("behind\\n");
    }`;
  const wild = await textReport(text('0xdeadbeefull'));
  expect(wild).toMatchObject({ stdout: 'before\n', exit: 1 });
  expect(wild.faults).toEqual([
    {
      kind: 'host-fault',
      file: 'from-text.cu',
      line: 6,
      message: 'segmentation fault: cudaMemGetInfo wrote at 0xdeadbeef, which is not memory of the host program: check the pointer',
    },
  ]);
  const device = await textReport(text('device'));
  expect(device.faults).toMatchObject([{ message: expect.stringMatching(/^segmentation fault: cudaMemGetInfo .* memory of the device/) }]);
});
